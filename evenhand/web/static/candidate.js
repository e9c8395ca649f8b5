// The candidate page: facts lead to the words they were read from, and words tell which facts they gave.

const sheets = document.getElementById("resume-text");
const bar = document.getElementById("evidence");
const tip = document.getElementById("tip");
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const pieces = new Map(); // id of a place -> the pieces of text it covers
const order = []; // places of single facts, as they stand in the text
let at = -1; // in order
let origin = null; // the fact somebody came from

document.documentElement.classList.add("with-script");
for (const each of document.querySelectorAll(".only-script")) each.hidden = false;

for (const piece of sheets?.querySelectorAll("[data-at]") ?? []) {
  for (const id of piece.dataset.at.split(" ")) {
    if (!pieces.has(id)) pieces.set(id, []);
    pieces.get(id).push(piece);
  }
  if (piece.title) { piece.dataset.says = piece.title; piece.removeAttribute("title"); }
  const begins = piece.classList.contains("ev") && piece.dataset.at.split(" ").find((id) => pieces.get(id)[0] === piece);
  if (begins) order.push({ id: shortest(piece), piece });
}

/** Of the places a piece belongs to, the one with the fewest letters: words, not the whole entry. */
function shortest(piece) {
  const long = (id) => { const [start, end] = id.slice(1).split("-").map(Number); return end - start; };
  return piece.dataset.at.split(" ").sort((a, b) => long(a) - long(b))[0];
}

function facts(id) {
  return [...document.querySelectorAll("a.fact")].filter((fact) => fact.dataset.at.split(" ").includes(id));
}

/** What a fact is, and what it says. */
function nameOf(fact) {
  const words = fact.dataset.words ?? fact.textContent;
  return fact.dataset.label.includes(words) ? fact.dataset.label : `${fact.dataset.label}: ${words}`;
}

/** Page, method and confidence of one place of a fact. */
function foundAt(fact, id) {
  const words = fact?.dataset.found.split("|") ?? [];
  return words[fact?.dataset.at.split(" ").indexOf(id)] ?? "";
}

/** Lights up a place and says what was read there. */
function show(id, what, found) {
  for (const lit of document.querySelectorAll(".is-lit, .is-shown")) lit.classList.remove("is-lit", "is-shown");
  const lit = pieces.get(id);
  if (!lit) return false;
  for (const piece of lit) piece.classList.add("is-lit");
  for (const fact of facts(id)) fact.classList.add("is-shown");
  bar.hidden = false;
  bar.querySelector("[data-what]").textContent = what;
  bar.querySelector("[data-found]").textContent = found;
  bar.querySelector("[data-go=back]").hidden = !origin;
  lit[0].scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
  at = order.findIndex((each) => each.piece === lit[0]);
  return true;
}

document.addEventListener("click", (event) => {
  const fact = event.target.closest("a.fact");
  if (!fact || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const places = fact.dataset.at.trim().split(" ").filter((id) => pieces.has(id));
  if (!places.length) return; // beyond the part that is shown: the link leads to the whole text
  event.preventDefault();
  const next = origin === fact ? (Number(fact.dataset.turn ?? 0) + 1) % places.length : 0;
  fact.dataset.turn = next;
  origin = fact;
  const which = places.length > 1 ? `place ${next + 1} of ${places.length}; ` : "";
  show(places[next], nameOf(fact), which + foundAt(fact, places[next]));
  history.replaceState(null, "", `#${places[next]}`);
});

function walk(step) {
  if (!order.length) return;
  at = (at + step + order.length) % order.length;
  const { id, piece } = order[at];
  origin = null;
  const found = foundAt(facts(id)[0], id);
  show(id, piece.dataset.says, `${at + 1} of ${order.length}${found ? `; ${found}` : ""}`);
}

bar?.addEventListener("click", (event) => {
  const go = event.target.closest("[data-go]")?.dataset.go;
  if (go === "n") walk(1);
  if (go === "p") walk(at < 0 ? 0 : -1);
  if (go === "back" && origin) {
    origin.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
    origin.focus({ preventScroll: true });
  }
});

// Pointing at words says which facts came from them.
sheets?.addEventListener("pointerover", (event) => {
  const piece = event.target.closest(".ev");
  tip.hidden = !piece;
  if (!piece) return;
  tip.textContent = piece.dataset.says.replaceAll("; ", "\n");
  const box = piece.getClientRects()[0];
  const wide = tip.offsetWidth, high = tip.offsetHeight;
  tip.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - wide - 8))}px`;
  tip.style.top = `${box.top > high + 12 ? box.top - high - 6 : box.bottom + 6}px`;
});
sheets?.addEventListener("pointerleave", () => { tip.hidden = true; });
sheets?.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

// Words of the resume lead back to their facts.
sheets?.addEventListener("click", (event) => {
  const piece = event.target.closest(".ev");
  if (!piece || String(window.getSelection())) return;
  const id = shortest(piece);
  origin = facts(id)[0] ?? null;
  show(id, piece.dataset.says, foundAt(origin, id));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog[open]")) return;
  const keys = { n: () => walk(1), p: () => walk(-1), j: () => follow("next"), k: () => follow("prev") };
  const decision = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  else if (decision) { event.preventDefault(); decide(decision); }
  else if (event.key === "Escape") { tip.hidden = true; bar.hidden = true; }
});

/** A rejection asks for its reason first. */
function decide(button) {
  const reason = button.form.querySelector("[data-reason]");
  if (reason && !reason.value.trim()) reason.focus(); else button.click();
}

function follow(way) { document.querySelector(`a[rel=${way}]`)?.click(); }

// A reason that was typed goes with whatever is decided, not only with a rejection.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-with-reason]")) return;
  const typed = event.target.closest(".decide").querySelector("[data-reason]");
  if (typed) event.target.elements.reason.value = typed.value;
});

// An address with a place in it opens there.
if (location.hash.startsWith("#p")) {
  const id = decodeURIComponent(location.hash.slice(1));
  const fact = facts(id)[0];
  if (pieces.has(id)) { origin = fact ?? null; show(id, fact ? nameOf(fact) : pieces.get(id)[0].dataset.says ?? "", foundAt(fact, id)); }
}

// What models say is asked for when somebody comes to it: leafing through a list costs nobody a model's work.
const models = document.getElementById("predictions");
const comes = new IntersectionObserver((seen) => {
  if (!seen.some((each) => each.isIntersecting)) return;
  comes.disconnect();
  ask();
}, { rootMargin: "200px" });
if (models) comes.observe(models);

async function ask() {
  const answer = await fetch(models.dataset.from, { headers: { "X-Evenhand-Fragment": "1", Accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  if (answer?.ok) models.innerHTML = await answer.text(); // from our own server, escaped there
}

// Why a model says so comes into the panel; a form asks about another label.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-reasons]");
  if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) { event.preventDefault(); explain(link.closest(".opinion"), link.href); }
  const colour = event.target.closest?.("[data-colour]");
  if (colour) paint(colour.getAttribute("aria-pressed") === "true" ? null : colour);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-reasons]")) return;
  event.preventDefault();
  explain(event.target.closest(".opinion"), `${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
});

async function explain(opinion, address) {
  const place = opinion.querySelector(".reasons");
  place.innerHTML = '<p class="small"><progress></progress> Working out why. This can take some seconds.</p>';
  const found = await work(address, place.querySelector("progress")).catch(() => ({}));
  if (found.html === undefined) {
    place.innerHTML = '<p class="notice"><span></span> <a>Try it on a page of its own.</a></p>';
    place.querySelector("span").textContent = found.error ?? "It could not be worked out.";
    place.querySelector("a").href = address;
    return;
  }
  place.innerHTML = found.html; // from our own server, escaped there
  for (const button of place.querySelectorAll("[data-colour]")) button.hidden = !("highlights" in CSS);
  const first = place.querySelector("[data-colour]:not([hidden])");
  if (first) paint(first);
}

// Lines of JSON: how far it is, and in the last what was found or what went wrong.
async function work(address, bar) {
  const answer = await fetch(address, { headers: { "X-Evenhand-Fragment": "1" }, credentials: "same-origin" });
  if (!answer.ok) return {};
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "", last = {};
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split("\n");
    text = lines.pop();
    for (const line of lines) last = JSON.parse(line);
    if (last.total) { bar.max = last.total; bar.value = last.done; }
  }
  return last;
}

// The words of the resume get their colours without a change to the page: places are code points of its text.
function paint(button) {
  CSS.highlights.clear();
  for (const each of document.querySelectorAll("[data-colour]")) { each.setAttribute("aria-pressed", String(each === button)); each.textContent = each === button ? "Remove the colours" : "Colour the resume"; }
  if (!button) return;
  const found = new Map();
  const heat = JSON.parse(button.closest("[data-heat]").dataset.heat);
  for (const [range, level] of ranges(document.getElementById("resume-text"), heat)) {
    const name = `${level > 0 ? "for" : "against"}-${Math.ceil(Math.abs(level) / 2)}`;
    found.set(name, [...(found.get(name) ?? []), range]);
  }
  for (const [name, some] of found) CSS.highlights.set(name, new Highlight(...some));
}

function ranges(root, heat) {
  const nodes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let from = 0, node = walker.nextNode(); node; node = walker.nextNode()) {
    const letters = Array.from(node.data);
    nodes.push({ node, letters, from, to: from + letters.length });
    from += letters.length;
  }
  const place = (point, isEnd) => {
    const found = nodes.find((each) => isEnd ? point <= each.to : point < each.to);
    return found && [found.node, found.letters.slice(0, point - found.from).join("").length];
  };
  const shown = heat.filter(([start, end]) => place(start, false) && place(end, true)); // of a long resume only the beginning is shown
  return shown.map(([start, end, level]) => {
    const range = new Range();
    range.setStart(...place(start, false));
    range.setEnd(...place(end, true));
    return [range, level];
  });
}
