/**
 * Tells the shop which items a player has really seen: those that were at least half in the window. All else on its
 * pages works without a script. It is a statistic, which no page waits for.
 */
'use strict';

/** Items that come into sight together are sent together. */
const GATHER_MS = 1000;
/** As many as the shop takes at once. */
const MOST = 100;

const csrf = document.querySelector('input[name=csrf]')?.value;
const seen = new Set();
const unsent = new Set();
let timer;

function send() {
  clearTimeout(timer);
  timer = undefined;
  const itemIds = [...unsent].slice(0, MOST);
  for (const id of itemIds) unsent.delete(id);
  if (itemIds.length === 0) return;
  const body = new Blob([JSON.stringify({ csrf, itemIds })], { type: 'application/json' });
  navigator.sendBeacon('/shop/views', body);
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const id = target.dataset.itemId;
      if (!isIntersecting || seen.has(id)) continue;
      seen.add(id);
      unsent.add(id);
      timer ??= setTimeout(send, GATHER_MS);
    }
  },
  { threshold: 0.5 },
);

if (csrf !== undefined) {
  for (const item of document.querySelectorAll('[data-item-id]')) observer.observe(item);
  // The last chance before the page goes, also on phones.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
}
