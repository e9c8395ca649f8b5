// What a job asks for: rows come and go without a round trip, and the effect on the ranking is shown while one types.

import { say } from "./base.js";

const form = document.querySelector("[data-requirements]");
const PAUSE = 700; // milliseconds without a key before the ranking is asked for

function refreshed(rows) {
  rows.querySelectorAll("[data-drop]").forEach((button, number) => { button.value = `drop:${number}`; });
  form.querySelector("[data-none]").hidden = rows.children.length > 0;
}

function addRow(rows, skill, kind) {
  const row = document.getElementById("empty-row").content.firstElementChild.cloneNode(true);
  row.querySelector("[name=skill]").value = skill;
  row.querySelector("[name=kind]").value = kind;
  row.querySelector("[data-drop]").setAttribute("aria-label", `Remove ${skill || "this row"}`);
  row.querySelector("label .sr").textContent = `Skill ${rows.children.length + 1}`;
  row.classList.toggle("new", Boolean(skill));
  rows.append(row);
  refreshed(rows);
  return row;
}

if (form) {
  const rows = form.querySelector("[data-rows]");
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches("[data-drop]")) {
      event.preventDefault();
      const row = button.closest("[data-row]");
      const skill = row.querySelector("[name=skill]").value;
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      refreshed(rows);
      (next?.querySelector("[name=skill]") ?? form.querySelector("[data-add]")).focus();
      if (skill) say(`Removed skill ${skill}.`, { undo: () => { rows.append(row); refreshed(rows); changed(); } });
      changed();
    } else if (button.matches("[data-add]")) {
      event.preventDefault();
      addRow(rows, "", "must").querySelector("[name=skill]").focus();
    }
  });
  for (const chip of document.querySelectorAll("[data-skill]")) {
    chip.addEventListener("click", (event) => {
      event.preventDefault();
      addRow(rows, chip.dataset.skill, "nice");
      for (const same of document.querySelectorAll("[data-skill]")) {
        if (same.dataset.skill === chip.dataset.skill) same.remove();
      }
      say(`${chip.dataset.skill} added as nice to have. Save to keep it.`);
      changed();
    });
  }
  form.addEventListener("input", () => changed());
  form.addEventListener("submit", () => { leaving = true; });
}

// The preview, for a job that is kept: an answer that comes late is thrown away.
let timer = 0;
let asked = 0;
let leaving = false;
const preview = document.getElementById("preview");

function changed() {
  if (!form.matches("[data-live]") || !preview) return;
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
}

async function show() {
  if (leaving || !form.checkValidity()) return;
  const mine = ++asked;
  const data = new URLSearchParams(new FormData(form));
  data.set("do", "preview");
  preview.hidden = false;
  preview.classList.add("busy");
  try {
    const headers = { "X-Evenhand-Fragment": "1", Accept: "application/json" };
    const answer = await fetch(form.action, { method: "POST", body: data, headers });
    const text = await answer.text();
    if (mine !== asked) return;
    if (answer.ok) preview.innerHTML = text; // from our own server, escaped there
    else preview.textContent = JSON.parse(text).error.message;
  } catch {
    if (mine === asked) preview.textContent = "The preview failed. You can still save.";
  }
  if (mine === asked) preview.classList.remove("busy");
}

// A file dropped anywhere on the form of a new job is taken by its field.
const ad = document.querySelector("[data-ad]");
if (ad) {
  const zone = ad.querySelector(".dropzone");
  const field = zone.querySelector("input");
  ad.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  ad.addEventListener("dragleave", () => zone.classList.remove("over"));
  ad.addEventListener("drop", (event) => {
    zone.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    zone.classList.add("over");
  });
}
