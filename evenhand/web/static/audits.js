// How far an audit is, asked for every second; when it is over the page shows its report.

import { send } from "./base.js";

const EVERY = 1000; // milliseconds
const place = document.querySelector("[data-audit]");
const bar = place?.querySelector("progress");

async function look() {
  try {
    const { state, is_over, done, total, doing } = await send(place.dataset.audit, { method: "GET" });
    if (is_over) { window.location.reload(); return; }
    place.querySelector("[data-doing]").textContent = state === "waiting" ? "Waiting for its turn" : doing || "Preparing";
    place.querySelector("[data-words]").textContent = total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : "";
    bar.max = Math.max(1, total);
    bar.value = done;
  } catch { /* the server may be starting again; the next look tells */ }
  setTimeout(look, EVERY);
}

if (place) setTimeout(look, EVERY);
