// Lists of tabs, each with its panels: one open at a time, worked by mouse and arrow keys.

/** Let every list of tabs on the page work; `onOpen` is called whenever a tab is opened. */
export function makeTabs(onOpen) {
  for (const list of document.querySelectorAll('[role="tablist"]')) {
    const tabs = [...list.querySelectorAll('[role="tab"]')];
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => open(tabs, tab, onOpen));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step !== undefined) {
          const next = tabs.at((index + step) % tabs.length);
          open(tabs, next, onOpen);
          next.focus();
        }
      });
    });
  }
}

function open(tabs, chosen, onOpen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  onOpen();
}
