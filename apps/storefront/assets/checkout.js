/**
 * Makes a page of a link better than it is without a script: it sends the form as JSON and shows the
 * server's own page of the outcome in place. A payment that is on its way is only looked after, never
 * sent again. A click whose answer was lost is sent again under its own Idempotency-Key, so that it
 * is one attempt (rules/payments 3).
 */
'use strict';

/** How often a page whose payment is on its way looks for the outcome, and for how long. */
const POLL_EVERY_MS = 2000;
const POLL_AT_MOST = 300;

const note = () => document.getElementById('outcome');
const state = () => document.querySelector('main').dataset.state;
const WAITING = new Set(['pending', 'unanswered', 'challenged']);
const isWaiting = () => WAITING.has(state());
/** The bank's page for the player; another window may have taken another card since. */
const step = (page) => page.querySelector('#step')?.getAttribute('href');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let unsent = null;
let isLooking = false;

function say(text, kind) {
  note().textContent = text;
  note().className = kind === undefined ? 'note' : `note ${kind}`;
  note().focus();
}

/** Exchanges the shown page for the server's, which tells why a click made no attempt, too. */
async function showAnew(refusal) {
  const query = refusal === undefined ? '' : `?refusal=${encodeURIComponent(refusal)}`;
  const answer = await fetch(location.pathname + query, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('main');
  if (answer.status >= 500 || !fresh) throw new Error('no page');
  const isSame = fresh.dataset.state === state() && step(fresh) === step(document);
  if (refusal === undefined && isSame && isWaiting()) return;
  document.title = page.title;
  document.querySelector('main').replaceWith(fresh);
  note().focus();
  start();
}

async function lookForOutcome() {
  if (isLooking) return;
  isLooking = true;
  for (let look = 0; look < POLL_AT_MOST && isWaiting(); look += 1) {
    await pause(POLL_EVERY_MS);
    if (isWaiting()) await showAnew().catch(() => undefined);
  }
  isLooking = false;
}

/** The same body is the same click: with another card or consent it is another one. */
function keyFor(body) {
  if (unsent === null || unsent.body !== body) {
    const parts = crypto.getRandomValues(new Uint32Array(4));
    unsent = { body, key: `page-${Array.from(parts).join('-')}` };
  }
  return unsent.key;
}

/** A field that the form does not have is not sent: nothing is chosen where nothing is to be paid. */
function readBody(chosen) {
  const names = ['paymentMethod', 'amountCents', 'quotedAt'].filter((name) => chosen.has(name));
  const fields = Object.fromEntries(names.map((name) => [name, chosen.get(name)]));
  const consent = chosen.has('emailMarketingOptIn') ? { emailMarketingOptIn: true } : {};
  return JSON.stringify({ ...fields, ...consent });
}

function send(chosen) {
  const body = readBody(chosen);
  return fetch(`${location.pathname}/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': keyFor(body) },
    body,
  });
}

async function pay(form) {
  const button = form.querySelector('button');
  const texts = form.dataset;
  button.disabled = true;
  say(texts.asking);
  try {
    const answer = await send(new FormData(form));
    const body = await answer.json();
    if (answer.status >= 500) throw new Error('no outcome');
    unsent = null;
    if (body.status === 'challenge') await goToBank(body.challengeUrl);
    else await showOutcome(form, answer, body.details?.[0].reason);
  } catch {
    say(texts.unreachable, 'bad');
  }
  button.disabled = false;
}

/** Leads to the bank at once, whatever the browser shows on the way back. */
async function goToBank(url) {
  location.assign(url);
  await showAnew().catch(() => undefined);
}

/** The page of the link tells nearly all; only a pause is waited for here. */
async function showOutcome(form, answer, reason) {
  if (answer.status === 429) {
    const seconds = Number(answer.headers.get('retry-after')) || 1;
    say(form.dataset.paused.replace('{seconds}', seconds), 'bad');
    await pause(seconds * 1000);
    return;
  }
  const isTold = answer.ok || reason === 'PAYMENT_DECLINED' || reason === 'CHECKOUT_LINK_LOCKED';
  await showAnew(isTold ? undefined : reason);
  if (form.isConnected) say(form.dataset.stillAsking);
}

/** A browser that is shown the page in advance waits until the player sees it. */
function tellOpening() {
  if (!('tellsOpening' in document.querySelector('main').dataset)) return;
  const tell = () => navigator.sendBeacon(`${location.pathname}/opened`);
  if (document.prerendering !== true) tell();
  else document.addEventListener('prerenderingchange', tell, { once: true });
}

function start() {
  document.getElementById('checkout')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void pay(event.currentTarget);
  });
  if (isWaiting()) void lookForOutcome();
}

start();
tellOpening();
