// Sends files one by one, three at a time, and shows what becomes of each; the state itself is the server's.

import { say, send } from "./base.js";

const AT_ONCE = 3;
const TRIES = 3;
const EVERY = 1000; // milliseconds between two looks at the server
const JUNK = /(^|\/)(\.|~\$|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/i;
const WORDS = { w: "waiting", a: "new", k: "already imported", r: "failed" };
const KINDS = { w: "waiting", a: "added", k: "known", r: "refused" };

const zone = document.querySelector("[data-import]");
const board = document.querySelector("[data-progress]");
const list = document.querySelector("[data-list]");
const most = Number(board?.dataset.most ?? 0);
const rows = new Map(); // by the number that the server gave
let sending = false;
let expected = 0; // files of this page, sent or not

// --- choosing ---

async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry, found) {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
    if (file) found.push({ file, name });
    return;
  }
  const reader = entry.createReader();
  for (;;) { // a folder is handed out in parts
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) return;
    for (const each of some) await walk(each, found);
  }
}

function chooser({ folder }) {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.webkitdirectory = folder;
  field.addEventListener("change", () => {
    start([...field.files].map((file) => ({ file, name: file.webkitRelativePath || file.name })));
  });
  field.click();
}

if (zone) {
  const target = zone.querySelector("[data-zone]");
  const field = zone.querySelector("[data-files]");
  field.hidden = true;
  zone.querySelector("label[for=files]")?.removeAttribute("for");
  zone.querySelector("[data-plain]")?.remove();
  for (const [name, folder] of [["choose", false], ["folder", true]]) {
    const button = zone.querySelector(`[data-${name}]`);
    button.hidden = false;
    button.addEventListener("click", () => chooser({ folder }));
  }
  zone.querySelector("[data-choose]").classList.add("main");
  let depth = 0;
  const over = (change) => { depth = Math.max(0, depth + change); target.classList.toggle("over", depth > 0); };
  addEventListener("dragenter", () => over(1));
  addEventListener("dragleave", () => over(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    depth = 0;
    over(0);
    start(await filesOf(event.dataTransfer));
  });
  zone.addEventListener("submit", (event) => event.preventDefault());
}

// --- sending ---

async function start(chosen) {
  const files = chosen.filter(({ name }) => !JUNK.test(name));
  if (sending) { say("Wait until these files are sent, then choose more."); return; }
  if (!files.length) { say("No files found there."); return; }
  sending = true;
  try {
    await sendAll(files);
  } catch (error) {
    say(error.message);
  }
  sending = false;
}

async function sendAll(files) {
  let id = zone.dataset.id;
  if (!id) {
    const data = new FormData();
    data.set("source", zone.querySelector("[name=source]")?.value ?? "");
    const begun = await send(zone.dataset.import, { data });
    id = begun.id;
    zone.dataset.id = id;
    board.dataset.state = `${begun.address}/state`;
    history.replaceState(null, "", begun.address); // a reload shows this import, not an empty form
  }
  const address = `${zone.dataset.import}/${id}`;
  zone.hidden = true;
  for (const part of ["[data-progress]", "[data-listing]", "[data-sending]"]) document.querySelector(part).hidden = false;
  document.querySelector("[data-listing]").open = true;
  expected = list.children.length + files.length;
  poll();
  const failed = await sendSome(files, address);
  document.querySelector("[data-interrupted]").hidden = failed === 0;
  await send(`${address}/seal`, { data: new FormData() }).catch(() => null); // answered with a page, which is not needed
  document.querySelector("[data-sending]").hidden = true;
}

async function sendSome(files, address) {
  let next = 0;
  let done = 0;
  let failed = 0;
  const all = files.reduce((sum, { file }) => sum + file.size, 0) || 1;
  const under = new Map(); // bytes sent of each, so that the bar moves within large files
  const show = () => {
    const sent = [...under.values()].reduce((sum, bytes) => sum + bytes, 0);
    const bar = document.querySelector("[data-sent]");
    bar.max = all;
    bar.value = sent;
    document.querySelector("[data-sent-words]").textContent = `${done} of ${files.length}`;
  };
  const worker = async () => {
    while (next < files.length) {
      const each = files[next++];
      const row = rowFor(each.name);
      const progress = (bytes) => { under.set(each, bytes); stateOf(row, `${Math.round((100 * bytes) / (each.file.size || 1))} % sent`); show(); };
      const number = await sendOne(each, address, progress);
      under.set(each, each.file.size);
      done += 1;
      if (number === null) { failed += 1; stateOf(row, "not sent", "refused"); } else { known(number, row); }
      show();
    }
  };
  show();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failed;
}

async function sendOne({ file, name }, address, progress) {
  const tooLarge = file.size > Number(zone.dataset.limit);
  const where = `${address}/files?${new URLSearchParams({ name, ...(tooLarge ? { claimed: file.size } : {}) })}`;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const answer = await post(where, tooLarge ? null : file, progress);
    if (answer.status === 201) return answer.found.number;
    if (answer.status >= 400 && answer.status < 500) { say(answer.found?.error?.message ?? "A file could not be imported."); return null; }
    await new Promise((resolve) => setTimeout(resolve, attempt * 1000));
  }
  return null;
}

function post(where, body, progress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch cannot tell how much it has sent
    request.open("POST", where);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("load", () => resolve({ status: request.status, found: request.response }));
    request.addEventListener("error", () => resolve({ status: 0, found: null }));
    request.send(body);
  });
}

addEventListener("beforeunload", (event) => { if (sending) event.preventDefault(); });

// --- showing ---

function rowFor(name) {
  if (list.children.length >= most) {
    document.querySelector("[data-beyond]").hidden = false;
    return null;
  }
  const row = document.createElement("li");
  const label = Object.assign(document.createElement("span"), { className: "name", textContent: name, title: name });
  const state = Object.assign(document.createElement("span"), { className: "state" });
  row.append(label, state);
  list.append(row);
  return row;
}

function known(number, row) {
  if (!row) return;
  row.dataset.number = number;
  rows.set(number, row);
  stateOf(row, "waiting", "waiting");
}

function stateOf(row, words, kind = null) {
  if (!row) return;
  const place = row.querySelector(".state");
  if (place.textContent !== words) place.textContent = words;
  if (kind) row.className = `is-${kind}`;
}

function showState(state) {
  const settled = state.total - state.counts.waiting;
  const total = Math.max(state.total, sending ? expected : 0);
  const bar = document.querySelector("[data-read]");
  bar.max = Math.max(1, total);
  bar.value = settled;
  document.querySelector("[data-read-words]").textContent = `${settled} of ${total} file${total === 1 ? "" : "s"}`;
  for (const [name, count] of Object.entries(state.counts)) {
    const place = document.querySelector(`[data-count=${name}]`);
    if (place.textContent !== String(count)) place.textContent = count;
  }
  [...state.states].forEach((letter, at) => stateOf(rows.get(at + 1) ?? null, WORDS[letter], KINDS[letter]));
  const refusals = document.querySelector("[data-refused]");
  for (const { number, file, code, message } of state.refused) {
    if (refusals.querySelector(`[data-number="${number}"]`)) continue;
    const item = document.createElement("li");
    item.dataset.number = number;
    item.append(
      Object.assign(document.createElement("b"), { textContent: file }),
      ` ${message} `,
      Object.assign(document.createElement("code"), { textContent: code }),
    );
    refusals.append(item);
  }
  document.querySelector("[data-refusals]").hidden = state.refused.length === 0;
  if (state.finished) {
    const { added } = state.counts;
    document.querySelector("[data-headline]").textContent = added ? `${added} new application${added === 1 ? "" : "s"}` : "Nothing new";
    document.querySelector("[data-done]").hidden = false;
    document.querySelector("[data-listing]").open = false;
  }
}

let polling = false;
async function poll() {
  if (polling || !board.dataset.state) return;
  polling = true;
  for (;;) {
    try {
      const state = await send(board.dataset.state, { method: "GET" });
      if (state === null) break; // signed out meanwhile
      showState(state);
      if (state.finished) break;
    } catch { /* the server may be starting again */ }
    await new Promise((resolve) => setTimeout(resolve, rows.size > 2000 ? 3 * EVERY : EVERY));
  }
  polling = false;
}

if (board?.dataset.state && !board.hasAttribute("data-finished")) {
  for (const row of list.querySelectorAll("[data-number]")) rows.set(Number(row.dataset.number), row);
  poll();
}
