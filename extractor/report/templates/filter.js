"use strict";
const search = document.getElementById("search"), states = document.getElementById("states");
function show() {
  const words = search.value.toLowerCase(), state = states.value;
  for (const row of document.querySelectorAll("tbody tr")) {
    const is = row.dataset.state;
    const fits = !state || is === state || (state === "bad" && is !== "ok");
    row.hidden = !fits || !row.textContent.toLowerCase().includes(words);
  }
}
search.addEventListener("input", show);
states.addEventListener("change", show);
