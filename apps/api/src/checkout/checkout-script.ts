/** How often a page whose payment is on its way looks for the outcome, and for how long. */
const LOOK_EVERY_MS = 2000;
const LOOK_AT_MOST = 300;

/**
 * The page's script: it sends the form as JSON, and then shows what the server's own page says of it.
 * A payment that is on its way is only looked after, never sent again. A click whose answer was lost
 * is sent again under its own Idempotency-Key, so that it is one attempt (rules/payments 3).
 */
export const CHECKOUT_SCRIPT = `'use strict';
const note = () => document.getElementById('outcome');
const state = () => document.querySelector('main').dataset.state;
const isWaiting = () => state() === 'pending' || state() === 'unanswered';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let unsent = null;
let isLooking = false;

function say(text, kind) {
  note().textContent = text;
  note().className = 'note ' + kind;
  note().focus();
}

async function showAnew() {
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('main');
  if (answer.status >= 500 || !fresh) throw new Error('no page');
  if (fresh.dataset.state === state() && isWaiting()) return;
  document.title = page.title;
  document.querySelector('main').replaceWith(fresh);
  note().focus();
  start();
}

async function lookForOutcome() {
  if (isLooking) return;
  isLooking = true;
  for (let look = 0; look < ${LOOK_AT_MOST} && isWaiting(); look += 1) {
    await pause(${LOOK_EVERY_MS});
    if (isWaiting()) await showAnew().catch(() => undefined);
  }
  isLooking = false;
}

function keyFor(paymentMethod) {
  if (unsent === null || unsent.paymentMethod !== paymentMethod) {
    const parts = crypto.getRandomValues(new Uint32Array(4));
    unsent = { paymentMethod, key: 'page-' + Array.from(parts).join('-') };
  }
  return unsent.key;
}

async function pay(form) {
  const button = form.querySelector('button');
  const paymentMethod = new FormData(form).get('paymentMethod');
  button.disabled = true;
  say('One moment: we are asking your bank.', '');
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': keyFor(paymentMethod) },
      body: JSON.stringify({ paymentMethod }),
    });
    const body = await answer.json();
    if (answer.status < 500) unsent = null;
    const reason = body.details && body.details[0].reason;
    const isShown = reason === 'PAYMENT_DECLINED' || reason === 'CHECKOUT_LINK_LOCKED';
    if (answer.ok || isShown) {
      await showAnew();
      if (form.isConnected) say('Your bank has not answered yet. Wait here, or pay another way.', '');
    } else if (answer.status === 429) {
      const seconds = Number(answer.headers.get('retry-after')) || 1;
      say(body.message + ' You can go on in ' + seconds + ' s.', 'bad');
      await pause(seconds * 1000);
    } else throw new Error(answer.status < 500 ? body.message : '');
    button.disabled = false;
  } catch (error) {
    button.disabled = false;
    const isOurs = error.constructor === Error && error.message !== '';
    say(isOurs ? error.message : 'We could not be reached. Please try again: you pay once only.', 'bad');
  }
}

function start() {
  const form = document.getElementById('checkout');
  if (form) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void pay(form);
    });
  }
  if (isWaiting()) void lookForOutcome();
}

start();
`;
