/* Calls a C function once for each element of an array, and does nothing else.
 *
 * Pdfium answers questions about one character or one object per call. At six thousand characters a resume the cost of
 * calling from Python is larger than that of the answers, so bulk.py uses these loops where a compiler was at hand when
 * the package was built, and loops of its own where not. The functions to call are handed over as pointers: nothing of
 * pdfium is needed to build this.
 */

typedef int (*boxes_fn)(void *, int, float *);
typedef int (*points_fn)(void *, int, double *, double *);
typedef void *(*by_index_fn)(void *, int);
typedef int (*int_of_fn)(void *);
typedef void *(*pointer_of_fn)(void *);
typedef int (*color_fn)(void *, unsigned *, unsigned *, unsigned *, unsigned *);

typedef int (*count_of_fn)(void *);
typedef int (*count_at_fn)(void *, int);
typedef void *(*segment_fn)(void *, int, int);
typedef int (*point_fn)(void *, float *, float *);

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

EXPORT void boxes(boxes_fn call, void *owner, long count, float *out) {
    for (long i = 0; i < count; i++) call(owner, (int)i, out + 4 * i);
}

EXPORT void points(points_fn call, void *owner, long count, double *out) {
    for (long i = 0; i < count; i++) call(owner, (int)i, out + 2 * i, out + 2 * i + 1);
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

/* Three integers and a colour of each object, in one pass: most of the time goes into fetching scattered objects. */
EXPORT void facts_of(int_of_fn first, int_of_fn second, int_of_fn third, color_fn color, void **of, long count,
                     int *out, unsigned *colors) {
    for (long i = 0; i < count; i++, out += 3, colors += 4) {
        out[0] = first(of[i]);
        out[1] = second(of[i]);
        out[2] = third(of[i]);
        color(of[i], colors, colors + 1, colors + 2, colors + 3);
    }
}

/* The area that an object's clip paths leave (left, top, right, bottom, y upwards), and the segments of the longest of
 * them, a huge number where there are more paths than are looked at. Areas start out without bounds. Objects that
 * follow each other mostly share their clip, which is then looked at once. */
EXPORT void clips_of(pointer_of_fn get_clip, count_of_fn count_paths, count_at_fn count_segments, segment_fn get_segment,
                     point_fn get_point, void **of, long count, float *out, int *longest) {
    void *known_first = 0, *known_last = 0;
    int known = 0;
    for (long i = 0; i < count; i++, out += 4, longest++) {
        void *clip = of[i] ? get_clip(of[i]) : 0;
        int paths = clip ? count_paths(clip) : 0;
        if (paths <= 0) {
            known = 0;
            continue;
        }
        if (paths <= 2) {
            void *first = get_segment(clip, 0, 0), *last = get_segment(clip, paths - 1, 0);
            if (i && first && last && paths == known && first == known_first && last == known_last) {
                for (int edge = 0; edge < 4; edge++) out[edge] = out[edge - 4];
                *longest = longest[-1];
                continue;
            }
            known_first = first;
            known_last = last;
        }
        known = paths;
        if (paths > 8) *longest = 0x7fffffff;
        for (int path = 0; path < paths && path < 8; path++) {
            float left = 0, top = 0, right = 0, bottom = 0, x, y;
            int segments = count_segments(clip, path), points = 0;
            if (segments > *longest) *longest = segments;
            for (int place = 0; place < segments && place < 64; place++) {
                void *segment = get_segment(clip, path, place);
                if (!segment || !get_point(segment, &x, &y)) continue;
                if (!points || x < left) left = x;
                if (!points || x > right) right = x;
                if (!points || y < bottom) bottom = y;
                if (!points || y > top) top = y;
                points++;
            }
            if (!points) continue;
            if (left > out[0]) out[0] = left;
            if (top < out[1]) out[1] = top;
            if (right < out[2]) out[2] = right;
            if (bottom > out[3]) out[3] = bottom;
        }
    }
}
