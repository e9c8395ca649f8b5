// Every condition refreshes list, counts and chips in place; the address follows, so that Back and links work.

const desk = document.getElementById("desk");
const form = document.getElementById("filters");
const box = document.getElementById("q");
const side = document.getElementById("side");
const live = document.getElementById("live");
const PIECES = ["progress", "banner", "search-problem", "facets", "results"];
const TYPING_MS = 200;
const BUSY_MS = 120; // a list that comes sooner does not flicker

let asking = null; // the request that is under way
let waiting = 0;
let wasTyping = false;
const folded = new Map(); // what somebody opened or closed stays so when the list is put in anew

/** The address of what the form says now; the empty line for another skill counts only when it is sent. */
function asked({ adding = false } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value === "" || (name.startsWith("add_") && !adding)) continue;
    if ((name === "ranker" && value === "best") || (name === "size" && value === "20")) continue;
    query.append(name, value);
  }
  return `${desk.dataset.address}?${query}`;
}

/** Asks for the list at an address and puts it in place. `history`: push, replace or none. */
export async function refine(address, { history: how = "push", top = false } = {}) {
  clearTimeout(waiting);
  asking?.abort();
  const mine = (asking = new AbortController());
  const busy = setTimeout(() => results().setAttribute("aria-busy", "true"), BUSY_MS);
  try {
    const answer = await fetch(address, {
      headers: { "X-Evenhand-Fragment": "list", Accept: "text/html" },
      signal: mine.signal,
      credentials: "same-origin",
    });
    if (answer.redirected || !answer.ok) {
      location.assign(address); // signed out, or a fault: the whole page says what it is
      return;
    }
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    // A search that cannot be understood answers with the mistake alone; the list stays.
    const hasList = found.getElementById("results") !== null;
    put(found);
    if (hasList) settle(how, top);
  } catch (error) {
    if (error.name !== "AbortError") live.textContent = "The server cannot be reached. The list was not updated.";
  } finally {
    clearTimeout(busy);
    if (asking === mine) {
      asking = null;
      results().removeAttribute("aria-busy");
    }
  }
}

export function results() {
  return document.getElementById("results");
}

export function list() {
  return document.getElementById("list");
}

export function here() {
  const query = list().dataset.query;
  return query ? `${desk.dataset.address}?${query}` : desk.dataset.address;
}

function put(found) {
  const focused = document.activeElement?.dataset?.key;
  const scrolled = side.scrollTop;
  for (const id of PIECES) {
    const fresh = found.getElementById(id);
    if (!fresh) continue;
    for (const details of fresh.querySelectorAll("details[data-keep]")) {
      if (folded.has(details.dataset.keep)) details.open = folded.get(details.dataset.keep);
    }
    document.getElementById(id).replaceWith(document.adoptNode(fresh));
  }
  side.scrollTop = scrolled;
  if (focused !== undefined && document.activeElement === document.body) focusAgain(focused);
}

function focusAgain(key) {
  const same = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const chip = key.startsWith("chip ") || key === "clear" ? document.querySelector(".chips .remove") : null;
  (same ?? chip ?? box).focus({ preventScroll: true });
}

function settle(how, top) {
  const address = here();
  if (how === "push") history.pushState(null, "", address);
  if (how === "replace") history.replaceState(null, "", address);
  if (document.activeElement !== box) box.value = list().dataset.q;
  live.textContent = list().dataset.count;
  const ticked = Number(list().dataset.ticked);
  document.querySelector("[data-open-filters]").textContent = ticked ? `Filters (${ticked})` : "Filters";
  if (top) results().scrollIntoView({ block: "start" });
  document.dispatchEvent(new CustomEvent("list-changed"));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  wasTyping = false;
  refine(asked({ adding: true }));
});
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    // One entry of the history for one search, however many letters it has.
    refine(asked(), { history: wasTyping ? "replace" : "push" });
    wasTyping = true;
  }, TYPING_MS);
});
document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.form !== form || field === box || field.name.startsWith("add_")) return;
  wasTyping = false;
  refine(asked());
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-refine]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  wasTyping = false;
  if (link.closest(".chips, .saved-list, .empty")) box.blur();
  if (link.closest(".saved-list")) folded.set("saved", false);
  refine(link.href, { top: "top" in link.dataset });
});
document.addEventListener(
  "toggle",
  (event) => {
    const key = event.target.dataset?.keep;
    if (key) folded.set(key, event.target.open);
  },
  true,
);
window.addEventListener("popstate", () => {
  wasTyping = false;
  const query = list().dataset.query;
  if (location.search === (query ? `?${query}` : "")) return; // only the fragment of the address has changed
  box.blur();
  refine(location.href, { history: "none" });
});

// Menus close when somebody goes on elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (side.classList.contains("open")) showFilters(false);
});

// On a phone the filters are a sheet over the list.
function showFilters(shown) {
  side.classList.toggle("open", shown);
  results().inert = shown;
  const button = document.querySelector("[data-open-filters]");
  button.setAttribute("aria-expanded", String(shown));
  if (shown) side.querySelector("[data-close-filters]").focus();
  else button.focus();
}
document.querySelector("[data-open-filters]").addEventListener("click", () => showFilters(true));
document.querySelector("[data-close-filters]").addEventListener("click", () => showFilters(false));

// Saved searches: kept, and the menu shows them at once.
document.addEventListener("submit", async (event) => {
  const saving = event.target.closest("form[data-saved]");
  if (!saving || saving === form) return;
  event.preventDefault();
  const { say, send } = await import("./base.js");
  try {
    const done = await send(saving.action, { data: new FormData(saving) });
    say(done.sentence);
    folded.set("saved", false);
    refine(here(), { history: "none" });
  } catch (error) {
    say(error.message);
  }
});
