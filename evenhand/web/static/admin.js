// Small comforts on the pages for keeping house: copying a secret, sending a choice at once, taking a removal back.

import { say, send } from "./base.js";

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue; // only where the connection is safe
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(field.value);
    field.select();
    say("Copied.");
  });
}

for (const field of document.querySelectorAll("[data-autosend]")) {
  const before = field.value;
  field.form.querySelector("[data-plain]")?.remove();
  field.addEventListener("change", () => {
    field.form.requestSubmit();
    setTimeout(() => { field.value = before; }); // if the person thinks better of it; a page that comes shows the new one
  });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-unwatch]")) return;
  event.preventDefault();
  const row = form.closest("tr");
  try {
    const gone = await send(form.action, { data: new FormData(form) });
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.hidden = true;
    (next?.querySelector("button") ?? document.getElementById("main")).focus();
    say(`Removed ${gone.name}.`, { undo: () => putBack(gone, row) });
  } catch (error) {
    say(error.message);
  }
});

async function putBack(gone, row) {
  const data = new FormData();
  data.set("list", gone.list);
  data.set("names", gone.name);
  data.set("note", gone.note);
  try {
    await send("/watch-lists", { data });
    row.hidden = false;
  } catch (error) {
    say(error.message);
  }
}
