/** How often a page whose payment is on its way looks for the outcome, and for how long. */
const LOOK_EVERY_MS = 2000;
const LOOK_AT_MOST = 300;

/**
 * The page's script: it sends the form as JSON, and then shows what the server's own page says of it.
 * A payment that is on its way is only looked after, never sent again: that would charge another time.
 */
export const CHECKOUT_SCRIPT = `'use strict';
const note = () => document.getElementById('outcome');
const state = () => document.querySelector('main').dataset.state;
const pause = () => new Promise((resolve) => setTimeout(resolve, ${LOOK_EVERY_MS}));

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
  if (fresh.dataset.state === 'pending' && state() === 'pending') return;
  document.title = page.title;
  document.querySelector('main').replaceWith(fresh);
  note().focus();
  start();
}

async function lookForOutcome() {
  for (let look = 0; look < ${LOOK_AT_MOST} && state() === 'pending'; look += 1) {
    await pause();
    await showAnew().catch(() => undefined);
  }
}

async function pay(form) {
  const button = form.querySelector('button');
  const paymentMethod = new FormData(form).get('paymentMethod');
  button.disabled = true;
  say('One moment: we are asking your bank.', '');
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentMethod }),
    });
    const body = await answer.json();
    const reason = body.details && body.details[0].reason;
    if (answer.ok || reason === 'PAYMENT_DECLINED') await showAnew();
    else throw new Error(answer.status < 500 ? body.message : '');
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
  if (state() === 'pending') void lookForOutcome();
}

start();
`;
