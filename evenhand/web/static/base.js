// What every page can do: say what happened (with a way back), ask before a form is sent, open dialogs.

const box = document.getElementById("say");
let timer = 0;

/** A sentence at the foot of the page; `undo` is a button with it. */
export function say(sentence, { undo = null, label = "Undo", seconds = 8 } = {}) {
  clearTimeout(timer);
  const text = document.createElement("span");
  text.textContent = sentence;
  box.replaceChildren(text);
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => { box.replaceChildren(); undo(); });
    box.append(button);
  }
  timer = setTimeout(() => box.replaceChildren(), seconds * 1000);
}

/** Sends a form or data to our own server; the answer as JSON. Throws an Error with the server's own sentence. */
export async function send(address, { method = "POST", data = null, signal = undefined } = {}) {
  const headers = { Accept: "application/json" };
  let body;
  if (data instanceof FormData) body = new URLSearchParams(data);
  else if (data !== null) { headers["Content-Type"] = "application/json"; body = JSON.stringify(data); }
  const answer = await fetch(address, { method, headers, body, signal, credentials: "same-origin" });
  const found = await answer.json().catch(() => null);
  if (!answer.ok) throw Object.assign(new Error(found?.error?.message ?? "The server could not do this."), { code: found?.error?.code, batch: found?.error?.batch });
  return found;
}

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.ask;
  if (question && !window.confirm(question)) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
  const closer = event.target.closest("[data-close]");
  if (closer) closer.closest("dialog")?.close();
});
