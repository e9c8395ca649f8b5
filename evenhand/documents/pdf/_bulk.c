/* Calls a C function once for each element of an array, and does nothing else.
 *
 * Pdfium answers questions about one character or one object per call. At six thousand characters a resume the cost of
 * calling from Python is larger than that of the answers, so bulk.py uses these loops where a compiler was at hand when
 * the package was built, and loops of its own where not. The functions to call are handed over as pointers: nothing of
 * pdfium is needed to build this.
 */

typedef int (*boxes_fn)(void *, int, float *);
typedef void *(*by_index_fn)(void *, int);
typedef int (*int_of_fn)(void *);
typedef void *(*pointer_of_fn)(void *);
typedef int (*color_fn)(void *, unsigned *, unsigned *, unsigned *, unsigned *);

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

EXPORT void boxes(boxes_fn call, void *owner, long count, float *out) {
    for (long i = 0; i < count; i++) call(owner, (int)i, out + 4 * i);
}

EXPORT void pointers_at(by_index_fn call, void *owner, long count, const int *index, void **out) {
    for (long i = 0; i < count; i++) out[i] = call(owner, index[i]);
}

EXPORT void ints_of(int_of_fn call, void **of, long count, int *out) {
    for (long i = 0; i < count; i++) out[i] = call(of[i]);
}

EXPORT void pointers_of(pointer_of_fn call, void **of, long count, void **out) {
    for (long i = 0; i < count; i++) out[i] = call(of[i]);
}

EXPORT void colors_of(color_fn call, void **of, long count, unsigned *out) {
    for (long i = 0; i < count; i++, out += 4) call(of[i], out, out + 1, out + 2, out + 3);
}
