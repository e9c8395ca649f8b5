// Several at once: the selected ones, the rest of the list after a preview, and why one stands above another.
import { say, send } from "./base.js";
import { here, list, refine } from "./screening_refine.js";
import { askReason, decide, show } from "./screening_triage.js";

const desk = document.getElementById("desk");
const bar = document.getElementById("selection");
const many = document.getElementById("many");
const whyDialog = document.getElementById("why");
const FRAGMENT = { "X-Evenhand-Fragment": "part", Accept: "text/html" };
const AGAIN_MS = 250;
const selected = new Map(); // name by application: a selection outlives a refinement
let waiting = 0;

async function piece(address, options = {}) {
  const answer = await fetch(address, { headers: FRAGMENT, credentials: "same-origin", ...options });
  if (answer.redirected) location.reload();
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(found.querySelector("main p, p")?.textContent ?? "The server could not do this.");
  return document.adoptNode(found.body.firstElementChild);
}

// --- the selected ones

function shown() {
  return [...selected.keys()].map((id) => document.getElementById(`a-${id}`)).filter(Boolean);
}

function tell() {
  if (!bar) return;
  const number = selected.size;
  bar.toggleAttribute("data-empty", number === 0);
  bar.querySelector("[data-selected]").textContent = `${number} selected`;
  bar.querySelector("[data-compare]").disabled = number < 2 || number > 4;
  const two = bar.querySelector("[data-why-two]");
  two.hidden = number !== 2;
  for (const card of document.querySelectorAll("article.card")) {
    card.querySelector("[data-select]").checked = selected.has(card.dataset.application);
  }
}

function clear() {
  selected.clear();
  tell();
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-select]")) return;
  const card = event.target.closest("article.card");
  if (event.target.checked) selected.set(card.dataset.application, card.dataset.name);
  else selected.delete(card.dataset.application);
  tell();
});
document.addEventListener("list-changed", tell);
document.addEventListener("compare-wanted", compare);

bar?.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button.matches("[data-compare]")) compare();
  else if (shown().length < selected.size) decideUnseen(button.value);
  else if (button.value === "reject") askReason(shown());
  else decide(shown(), button.value);
});
bar?.querySelector("[data-clear-selection]").addEventListener("click", clear);
bar?.querySelector("[data-why-two]").addEventListener("click", () => {
  const [above, below] = selected.keys();
  openWhy(`${desk.dataset.address}/why?above=${above}&below=${below}&${list().dataset.query}`);
});

function decideUnseen(action) {
  const hidden = selected.size - shown().length;
  say(`${hidden} of the selected ${hidden === 1 ? "is" : "are"} not on this page. Decide where you can see them, or clear the selection (${action}).`);
}

function compare() {
  if (selected.size < 2 || selected.size > 4) {
    say("Select two to four candidates to compare them.");
    return;
  }
  const query = new URLSearchParams([...selected.keys()].map((id) => ["application", id]));
  location.assign(`${bar.querySelector("[data-compare]").formAction}?${query}${list().dataset.query ? `&${list().dataset.query}` : ""}`);
}

// --- the rest of the list

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-many]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  try {
    put(await piece(link.href));
    many.showModal();
    many.querySelector("[data-keep-number]").focus();
  } catch (error) {
    say(error.message);
  }
});

function put(found) {
  many.querySelector("[data-many-body]").replaceChildren(found);
}

// (A form with a field called "action" hides its address behind it: hence getAttribute.)
/** A new number shows at once whom it would concern; what was typed as the reason stays. */
async function preview() {
  const form = many.querySelector("form[data-preview]");
  const field = document.activeElement?.name;
  const reason = many.querySelector("[data-carry-out] input[name=reason]")?.value ?? "";
  const query = new URLSearchParams(new FormData(form));
  query.set("seen", list().dataset.seen);
  try {
    put(await piece(`${form.getAttribute("action")}?${query}`));
  } catch (error) {
    say(error.message);
    return;
  }
  const again = many.querySelector("[data-carry-out] input[name=reason]");
  if (again) again.value = reason;
  if (field === "keep") many.querySelector("[data-keep-number]").focus();
}

many?.addEventListener("input", (event) => {
  if (!event.target.matches("[data-keep-number]")) return;
  clearTimeout(waiting);
  waiting = setTimeout(preview, AGAIN_MS);
});
many?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (event.target.matches("[data-preview]")) {
    preview();
    return;
  }
  const confirm = event.target.querySelector(".sure");
  confirm.disabled = true;
  try {
    const made = await send(event.target.getAttribute("action"), { data: new FormData(event.target) });
    many.close();
    show(made);
    say(made.sentence);
    refine(here(), { history: "none" });
  } catch (error) {
    say(error.message);
    preview();
  }
});
many?.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-close]");
  if (!link) return;
  event.preventDefault();
  many.close();
});
document.addEventListener("list-stale", () => refine(here(), { history: "none" }));

// --- why one stands above another

async function openWhy(address) {
  try {
    whyDialog.querySelector("[data-why-body]").replaceChildren(await piece(address));
    whyDialog.showModal();
  } catch (error) {
    say(error.message);
  }
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-why]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const place = link.closest(".why-body").querySelector(".why-next");
  try {
    place.replaceChildren(await piece(link.href));
    link.closest("p").hidden = true;
  } catch (error) {
    say(error.message);
  }
});

tell();
