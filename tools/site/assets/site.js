// SPDX-License-Identifier: BSD-2-Clause
// The copy button of a console block copies the commands, without prompts and output.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-clipboard-target]");
  const code = button && document.querySelector(button.dataset.clipboardTarget);
  if (!code || !code.closest(".language-console")) return;
  const commands = [];
  let goes_on = false;
  for (const line of code.innerText.split("\n")) {
    if (goes_on || line.startsWith("$ ")) {
      commands.push(goes_on ? line : line.slice(2));
      goes_on = line.endsWith("\\");
    }
  }
  button.dataset.clipboardText = commands.join("\n");
}, true);
