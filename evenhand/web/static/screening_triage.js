// One candidate after the other: keys move, decide, undo, redo; the card shows its new status where it stands.
import { say, send } from "./base.js";
import { list } from "./screening_refine.js";

const desk = document.getElementById("desk");
const address = desk.dataset.address;
const mayDecide = desk.dataset.mayDecide === "yes";
const dialog = document.getElementById("reject");
const ACTIONS = { new: ["shortlist", "reject"], screened: ["shortlist", "reject"], shortlisted: ["offer", "reject"] };
const DONE = { shortlist: "shortlisted", reject: "rejected", offer: "marked as offered" };
let lastReason = "";
let rejecting = []; // whom the dialog is about
let landing = null; // on which card of the next page somebody goes on

export function cards() {
  return [...document.querySelectorAll("article.card")];
}

export function current() {
  return document.querySelector("article.card.current") ?? null;
}

/** Makes a card the one that keys are about. */
export function go(card, { focus = true } = {}) {
  if (!card) return;
  for (const each of cards()) {
    each.classList.toggle("current", each === card);
    each.tabIndex = each === card ? 0 : -1;
  }
  if (focus) {
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
}

function step(by) {
  const all = cards();
  const at = all.indexOf(current());
  const next = at < 0 ? all[0] : all[at + by];
  if (next) {
    go(next);
    return;
  }
  const page = document.querySelector(by > 0 ? ".pages a[rel=next]" : ".pages a[rel=prev]");
  landing = by > 0 ? "first" : "last";
  if (page) page.click();
  else say(by > 0 ? "This is the last candidate on the list." : "This is the first candidate on the list.", { seconds: 3 });
}

/** Decides on some; the first of them tells what happened by name. */
export async function decide(chosen, action, reason = "") {
  if (!chosen.length) return;
  const names = chosen.length === 1 ? chosen[0].dataset.name : `${chosen.length} candidates`;
  const data = new FormData();
  for (const card of chosen) {
    card.classList.add("working");
    data.append("application", card.dataset.application);
    data.append("was", `${card.dataset.application}:${card.dataset.status}`);
  }
  data.append("action", action);
  data.append("reason", reason);
  data.append("seen", list().dataset.seen);
  if (chosen.includes(current())) moveOn(chosen);
  try {
    const made = await send(`${address}/decisions`, { data });
    show(made);
    const left = made.skipped.length ? ` ${made.skipped[0].reason}` : "";
    say(made.number ? `${made.number === 1 ? names : `${made.number} candidates`} ${DONE[action]}.${left}` : left.trim() || "Nothing changed.", {
      undo: made.batch ? () => undo(made.batch) : null,
    });
    for (const card of chosen) deselect(card);
    if (made.skipped.length) document.dispatchEvent(new CustomEvent("list-stale"));
  } catch (error) {
    say(error.message);
    if (error.code === "conflict") document.dispatchEvent(new CustomEvent("list-stale"));
  } finally {
    for (const card of chosen) card.classList.remove("working");
  }
}

function moveOn(chosen) {
  const all = cards();
  const next = all.slice(all.indexOf(current()) + 1).find((card) => !chosen.includes(card));
  if (next) go(next);
}

function deselect(card) {
  const box = card.querySelector("[data-select]");
  if (box?.checked) box.click();
}

/** Without a batch the newest decision of this person on this job. */
export const undo = (batch = "") => reverse("undo", batch);
const redo = (batch = "") => reverse("redo", batch);

async function reverse(verb, batch, confirmed = false) {
  const data = new FormData();
  data.append("batch", batch);
  data.append("seen", list().dataset.seen);
  data.append("confirmed", confirmed);
  try {
    const made = await send(`${address}/${verb}`, { data });
    show(made);
    const [label, other] = verb === "undo" ? ["Redo", redo] : ["Undo", undo];
    say(made.sentence, { undo: made.batch ? () => other(made.batch) : null, label });
    const back = Object.keys(made.changed).map((id) => document.getElementById(`a-${id}`)).find(Boolean);
    if (back) go(back);
    if (made.number > 1) document.dispatchEvent(new CustomEvent("list-stale"));
    return made;
  } catch (error) {
    // Somebody else's, or from before they signed in: only if they mean this one.
    if (error.code !== "confirmation_needed") say(error.message);
    else if (window.confirm(error.message)) return reverse(verb, error.batch, true);
    return null;
  }
}

/** New statuses on the cards and in the counters. */
export function show(made) {
  for (const [id, [status, name]] of Object.entries(made.changed)) {
    const card = document.getElementById(`a-${id}`);
    if (!card) continue;
    card.classList.replace(`is-${card.dataset.status}`, `is-${status}`);
    card.dataset.status = status;
    const badge = card.querySelector("[data-badge]");
    badge.className = `badge ${status}`;
    badge.textContent = name;
    const can = ACTIONS[status] ?? [];
    for (const button of card.querySelectorAll(".card-actions > form > button")) button.hidden = !can.includes(button.value);
    const menu = card.querySelector("[data-rejecting]");
    if (menu) menu.hidden = !can.includes("reject");
  }
  for (const counter of document.querySelectorAll("[data-count-of]")) {
    counter.querySelector("b").textContent = (made.statuses[counter.dataset.countOf] ?? 0).toLocaleString("en");
  }
}

/** Asks for the reason; Enter confirms. */
export function askReason(chosen) {
  const can = chosen.filter((card) => (ACTIONS[card.dataset.status] ?? []).includes("reject"));
  if (!can.length) {
    say(chosen.length === 1 ? `${chosen[0].dataset.name} cannot be rejected: only new, screened or shortlisted candidates can.` : "None of them can be rejected: only new, screened or shortlisted candidates can.");
    return;
  }
  rejecting = can;
  dialog.querySelector("h2").textContent = can.length === 1 ? `Reject ${can[0].dataset.name}?` : `Reject ${can.length} candidates?`;
  dialog.querySelector("[data-confirm]").textContent = can.length === 1 ? "Reject" : `Reject ${can.length} candidates`;
  const suggested = can.length === 1 ? can[0].dataset.reasons.split("|").filter(Boolean) : [];
  offer(dialog.querySelector("[data-suggested]"), suggested);
  const field = dialog.querySelector("input[name=reason]");
  field.value = lastReason;
  dialog.showModal();
  field.focus();
  field.select();
}

function offer(part, reasons) {
  part.hidden = reasons.length === 0;
  part.querySelector("ul").replaceChildren(
    ...reasons.map((reason) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.dataset.reason = "";
      button.textContent = reason;
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
}

function remember(reason) {
  lastReason = reason;
  const used = dialog.querySelector("[data-used]");
  const before = [...used.querySelectorAll("[data-reason]")].map((each) => each.textContent);
  offer(used, [...new Set([reason, ...before])].slice(0, 6));
}

if (dialog) {
  dialog.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-reason]");
    if (!chip) return;
    const field = dialog.querySelector("input[name=reason]");
    field.value = chip.textContent;
    field.focus();
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const reason = dialog.querySelector("input[name=reason]").value.trim();
    if (!reason) return;
    dialog.close();
    remember(reason);
    decide(rejecting, "reject", reason);
  });
  dialog.addEventListener("close", () => current()?.focus({ preventScroll: true }));
}

// Buttons on the cards.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-decide]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  decide([form.closest("article.card")], event.submitter.value, form.elements.reason?.value);
});
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("form[data-undo-form]")) return;
  event.preventDefault();
  const made = await undo(event.target.elements.batch.value);
  if (made?.number === 1) document.dispatchEvent(new CustomEvent("list-stale"));
});
document.addEventListener("click", (event) => {
  const card = event.target.closest("article.card");
  const summary = event.target.closest("[data-rejecting] > summary");
  if (summary && dialog) {
    event.preventDefault();
    go(card, { focus: false });
    askReason([card]);
    return;
  }
  if (card) go(card, { focus: false });
});
document.addEventListener("focusin", (event) => {
  const card = event.target.closest?.("article.card");
  if (card && card !== current()) go(card, { focus: false });
});

const KEYS = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  o: (card) => card?.querySelector("[data-open]").click(),
  w: (card) => card?.querySelector(".why > summary").click(),
  x: (card) => card?.querySelector("[data-select]").click(),
  c: () => document.dispatchEvent(new CustomEvent("compare-wanted")),
  "/": () => {
    const box = document.getElementById("q");
    box.focus();
    box.select();
  },
  "?": () => document.getElementById("keys").showModal(),
};
const DECIDING = {
  s: (card) => card && decideOn(card, "shortlist"),
  r: (card) => card && askReason([card]),
  u: () => undo(),
  y: () => redo(),
};

function decideOn(card, action) {
  if ((ACTIONS[card.dataset.status] ?? []).includes(action)) decide([card], action);
  else say(`${card.dataset.name} is ${card.querySelector("[data-badge]").textContent.toLowerCase()} already.`, { seconds: 4 });
}

/** Keys are for the list: not while somebody types, chooses or has a dialog open. */
function isBusy(target) {
  return target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, dialog, [contenteditable]") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const onCard = event.target.matches("article.card");
  if (event.key === "Enter") {
    if (onCard) KEYS.o(event.target);
    return;
  }
  // Arrows scroll the page until the list has been entered.
  if (event.key.startsWith("Arrow") && !onCard) return;
  const act = KEYS[event.key] ?? (mayDecide ? DECIDING[event.key] : undefined);
  if (!act) return;
  event.preventDefault();
  act(current());
});

/** The candidate that was current stays so if it is still listed. */
document.addEventListener("list-changed", () => {
  if (landing) {
    go(landing === "first" ? cards()[0] : cards().at(-1));
    landing = null;
    return;
  }
  const id = document.activeElement?.closest?.("article.card")?.id;
  const card = id ? document.getElementById(id) : null;
  if (card) go(card, { focus: false });
});
const linked = location.hash.startsWith("#a-") ? document.getElementById(location.hash.slice(1)) : null;
if (linked) go(linked, { focus: false });
