(() => {
  // Without this script the whole list is there; with it the list can be narrowed.
  const form = document.getElementById("filter");
  if (!form) return;
  const [find, met, flagged, count] = ["find", "met", "flagged", "count"].map((id) => document.getElementById(id));
  const cards = [...document.querySelectorAll("article.candidate")].map((card) => ({
    card,
    row: document.querySelector(`tr[data-candidate="${card.dataset.candidate}"]`),
    text: card.textContent.toLowerCase(),
  }));
  const narrow = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { card, row, text } of cards) {
      const stays =
        words.every((word) => text.includes(word)) &&
        (!met.checked || card.dataset.met === "1") &&
        (!flagged.checked || card.dataset.flagged !== "0");
      left += stays;
      card.toggleAttribute("data-out", !stays);
      row.toggleAttribute("data-out", !stays);
    }
    count.value = left === cards.length ? "" : `${left} of ${cards.length} shown`;
  };
  form.addEventListener("input", narrow);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  narrow();
})();
