// Verification tells how far it is; a replay is shown where it was asked for.

import { say, send } from "./base.js";

function line(kind, words) {
  return Object.assign(document.createElement("p"), { className: kind, textContent: words });
}

function many(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

// --- verification ---

const verify = document.querySelector("[data-verify]");
verify?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = verify.querySelector("button");
  const meter = document.querySelector("[data-meter]");
  const verdict = document.querySelector("[data-verdict]");
  button.disabled = true;
  meter.hidden = false;
  verdict.replaceChildren();
  try {
    await each(await fetch(verify.action, { method: "POST", headers: { Accept: "application/x-ndjson" } }), (told) => {
      if (told.error) throw new Error(told.error.message);
      if (told.result) { verdict.replaceChildren(...verdictOf(told.result)); progress(meter, told.result.events, told.result.events); } else progress(meter, told.done, told.total);
    });
  } catch (error) {
    say(error.message || "The server could not be reached.");
  }
  button.disabled = false;
});

async function each(answer, take) {
  if (!answer.ok) throw new Error("The server could not do this.");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.filter(Boolean).forEach((text) => take(JSON.parse(text)));
  }
}

function progress(meter, done, total) {
  const bar = meter.querySelector("progress");
  bar.max = Math.max(1, total);
  bar.value = done;
  meter.querySelector("[data-words]").textContent = `${done.toLocaleString("en")} of ${many(total, "event")}`;
}

function verdictOf(result) {
  if (result.sound) {
    const unsigned = result.events - result.signed_until;
    const rest = unsigned > 0 ? ` The newest ${many(unsigned, "event")} ${unsigned === 1 ? "is" : "are"} not signed yet.` : "";
    return [line("fine", `Ledger intact: ${many(result.events, "event")}, ${many(result.checkpoints, "checkpoint")}.${rest}`)];
  }
  const list = Object.assign(document.createElement("ul"), { className: "findings" });
  for (const { sequence, message, code } of result.findings) {
    const item = document.createElement("li");
    if (sequence) item.append(Object.assign(document.createElement("a"), { href: `/ledger/${Number(sequence)}`, textContent: sequence }), " ");
    item.append(message, " ", Object.assign(document.createElement("code"), { textContent: code }));
    list.append(item);
  }
  return [line("problem", `Ledger not intact: ${many(result.findings.length, "finding")}.`), list];
}

// --- replay ---

const replay = document.querySelector("[data-replay]");
replay?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = document.querySelector("[data-replayed]");
  const button = replay.querySelector("button");
  button.disabled = true;
  place.replaceChildren(line("soft", "Rebuilding the pool …"));
  try {
    place.replaceChildren(...replayed(await send(replay.action)));
  } catch (error) {
    place.replaceChildren();
    say(error.message);
  }
  button.disabled = false;
});

function replayed({ identical, impossible, listed, erased, differences }) {
  if (impossible) return [line("notice", impossible)];
  const rest = erased ? `; ${many(erased, "applicant")} erased since then and left out` : "";
  if (identical) return [line("fine", `Identical: ${many(listed, "candidate")} in the same order with the same parts${rest}.`)];
  const list = document.createElement("ul");
  for (const words of differences) list.append(Object.assign(document.createElement("li"), { textContent: words }));
  return [line("problem", "The replay differs."), list];
}
