// Repairs what Scalar's markup lacks for people who do not see the page, whenever Scalar renders a part of it: names,
// roles, and what the keyboard can reach. Each row is harmless once Scalar does the same by itself.

const REPAIRS = {
  // An entry of the menu is current or not; only tabs and options are selected.
  '[aria-selected]:not([role])': (entry) => {
    entry.setAttribute('aria-current', entry.getAttribute('aria-selected'));
    entry.removeAttribute('aria-selected');
  },
  // The role of a region hides the name of the button.
  'button[role="search"]': (button) => button.removeAttribute('role'),
  'button.scalar-code-copy:not([aria-label])': (button) => button.setAttribute('aria-label', 'Copy'),
  'button.client-libraries__select:not([aria-label])': (button) => button.setAttribute('aria-label', 'More languages'),
  // The last of the languages opens a list of the others.
  '[role="tablist"] button:not([role])': (button) => {
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-selected', 'false');
  },
  // A name contains the text that is seen.
  'button.show-more[aria-label^="Show all"]': (button) =>
    button.setAttribute('aria-label', `${button.textContent.trim()}: ${button.getAttribute('aria-label')}`),
  'ul.endpoints:not([tabindex])': (list) => list.setAttribute('tabindex', '0'),
  // In the client that tries requests.
  '.cm-content:not([aria-label])': (editor) => editor.setAttribute('aria-label', 'Text'),
  '.cm-scroller[tabindex="-1"]': (editor) => editor.setAttribute('tabindex', '0'),
  'button[role="none"]': (button) => button.removeAttribute('role'),
  'input[type="checkbox"]:not([aria-label])': (box) => box.setAttribute('aria-label', 'Send this row'),
  'button[aria-controls^="scalar-client"]': (button) => {
    if (document.getElementById(button.getAttribute('aria-controls')) === null) button.removeAttribute('aria-controls');
  },
};

const CHANGED = ['aria-controls', 'aria-label', 'aria-selected', 'role', 'tabindex'];

let isWaiting = false;

function repair() {
  isWaiting = false;
  for (const [selector, apply] of Object.entries(REPAIRS)) document.querySelectorAll(selector).forEach(apply);
}

new MutationObserver(() => {
  if (!isWaiting) requestAnimationFrame(repair);
  isWaiting = true;
}).observe(document.body, { subtree: true, childList: true, attributeFilter: CHANGED });
