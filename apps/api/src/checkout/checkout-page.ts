import {
  type CreatedCheckoutLink,
  isLocked,
  isUnanswered,
  lastAttempt,
  type Offer,
  pauseLeftMs,
} from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import { money } from '#domain/money';
import type { TaxedCharge } from '#domain/pricing';
import { lengthText, perPeriodText, priceText } from './offer-texts.js';
import { escapeHtml, type Page, pageOf } from './page-layout.js';

/** What the page offers to pay with; the sandbox gateway's own methods, named as a player would. */
const PAYMENT_METHODS = [
  ['pm_ok', 'Card that is accepted'],
  ['pm_decline_insufficient_funds', 'Card without enough money'],
  ['pm_renewal_declines', 'Card that is accepted once, and declined at renewal'],
  ['pm_authentication_required', 'Card that wants a confirmation'],
  ['pm_pending', 'Card whose bank takes its time'],
] as const;

/**
 * The hosted page of a link, as the link stands now: it tells the offer, and then the outcome.
 *
 * @param charge what the offer's price comes to with tax where the player is.
 */
export function checkoutPage(
  link: CreatedCheckoutLink,
  charge: TaxedCharge,
  seller: string,
  wallNow: Instant,
): Page {
  const { status, offer } = link;
  if (status === 'completed') return { status: 200, html: completedPage(offer, charge, seller) };
  const isOver = wallNow >= link.expiresAt;
  const takesNoMore = isOver || isLocked(link, wallNow);
  // Also the last attempt that is allowed may still be captured: nobody is told otherwise before.
  if (status === 'attempting' && (takesNoMore || !isUnanswered(link, wallNow))) {
    return { status: 200, html: pendingPage(offer, seller) };
  }
  if (isLocked(link, wallNow)) return { status: 200, html: lockedPage(offer, seller) };
  if (isOver) return { status: 200, html: expiredPage(offer, seller) };
  return { status: 200, html: openPage(link, charge, seller, wallNow) };
}

/** The page for an address that leads to no link. */
export function missingPage(): Page {
  const html = pageOf(
    'missing',
    'There is no such offer',
    `<h1>There is no such offer</h1>
    ${note('The address is not complete, or it never was one. Go back to the game and try again.')}`,
  );
  return { status: 404, html };
}

/** The page while something that we need is out of reach. */
export function unavailablePage(): Page {
  const html = pageOf(
    'unavailable',
    'Please try again',
    `<h1>This page cannot be shown just now</h1>
    ${note('Nothing was charged by opening it. Load the page again in a minute.')}`,
  );
  return { status: 503, html };
}

/** The page of an app that has no payment gateway: it is in production and not set up yet. */
export function notConfiguredPage(): Page {
  const html = pageOf(
    'unavailable',
    'Nothing can be paid here yet',
    `<h1>Nothing can be paid here yet</h1>
    ${note('The shop is not ready to take payments. Nothing was charged. Please come back later.')}`,
  );
  return { status: 200, html };
}

function openPage(
  link: CreatedCheckoutLink,
  charge: TaxedCharge,
  seller: string,
  wallNow: Instant,
): string {
  const { linkId, offer } = link;
  const title = `Subscribe to ${offer.planName}`;
  const button = offer.trial === null ? `Pay ${priceText(charge.amount)}` : 'Start the free trial';
  const { state, text } = outcomeSoFar(link, wallNow);
  return pageOf(
    state,
    title,
    `${heading(title, offer, seller)}
    ${dueDates(offer, charge)}
    ${note(text, state === 'declined' ? 'bad' : '')}
    <form id="checkout" method="post" action="/checkout/${escapeHtml(linkId)}/complete">
      <fieldset aria-describedby="sandbox"><legend>Pay with</legend>
      <p id="sandbox" class="terms">These are test cards: no money moves.</p>
      ${methods()}
      </fieldset>
      <button type="submit">${escapeHtml(button)}</button>
    </form>
    <noscript><p class="note bad">Paying on this page needs JavaScript. Please allow it and load the
      page again.</p></noscript>
    <p class="terms">${terms(offer, charge)}</p>`,
  );
}

/** What became of the last attempt of a link that can be paid, and what to do now. */
function outcomeSoFar(link: CreatedCheckoutLink, wallNow: Instant) {
  if (link.status === 'attempting') {
    const text =
      'Your bank has not answered yet. You can wait here, or pay another way now: should the first ' +
      'payment go through after that, you get it back by itself.';
    return { state: 'unanswered', text };
  }
  if (!lastAttempt(link)?.decline) return { state: 'open', text: '' };
  const seconds = Math.ceil(pauseLeftMs(link, wallNow) / 1000);
  const pause = `Too many were declined in a row: please wait ${seconds} s before the next one.`;
  const declined = 'The payment was declined, and nothing was charged. Try another card.';
  return { state: 'declined', text: seconds === 0 ? declined : `${declined} ${pause}` };
}

function pendingPage(offer: Offer, seller: string): string {
  const waiting =
    'Your bank has not answered yet. This page shows the outcome as soon as it is known. You can also ' +
    'close it: we carry on, and you pay once only.';
  return pageOf(
    'pending',
    'Your payment is on its way',
    `${heading('Your payment is on its way', offer, seller)}
    ${note(waiting)}`,
  );
}

function completedPage(offer: Offer, charge: TaxedCharge, seller: string): string {
  const done =
    offer.trial === null
      ? 'Thank you! Your subscription is active.'
      : `Thank you! Your free trial of ${lengthText(offer.trial)} has begun.`;
  return pageOf(
    'completed',
    `You are subscribed to ${offer.planName}`,
    `${heading(`You are subscribed to ${offer.planName}`, offer, seller)}
    ${note(done, 'good')}
    <p>You can close this page and go back to the game.</p>
    <p class="terms">${terms(offer, charge)}</p>`,
  );
}

function lockedPage(offer: Offer, seller: string): string {
  const locked =
    'Too many payments were declined here, so this link is locked for safety, and nothing was ' +
    'charged. Go back to the game and ask for a new link, or ask your bank about your card first.';
  return pageOf(
    'locked',
    'This link is locked',
    `${heading('This link is locked', offer, seller)}
    ${note(locked, 'bad')}`,
  );
}

function expiredPage(offer: Offer, seller: string): string {
  return pageOf(
    'expired',
    'This link has expired',
    `${heading('This link has expired', offer, seller)}
    ${note('Nothing was charged. Go back to the game and ask for a new link.')}`,
  );
}

function heading(title: string, { price, period, planDescription }: Offer, seller: string): string {
  return `<p class="seller">${escapeHtml(seller)}</p>
    <h1>${escapeHtml(title)}</h1>
    <p class="price"><strong>${escapeHtml(priceText(price))}</strong> ${perPeriodText(period)}</p>
    ${planDescription === '' ? '' : `<p>${escapeHtml(planDescription)}</p>`}`;
}

/** What is paid when, and what of it is tax: nobody should have to read the terms for that. */
function dueDates(
  { price, period, trial }: Offer,
  { amount, tax, taxInclusive }: TaxedCharge,
): string {
  const whole = priceText(amount);
  const taxRows = tax === null ? [] : [[taxInclusive ? 'Tax included' : 'Tax', priceText(tax)]];
  const rows =
    trial === null
      ? [...taxRows, ['Due today', whole]]
      : [
          ['Due today', priceText(money('0', price.currency))],
          ['Free trial', lengthText(trial)],
          ['After the trial', `${whole} ${perPeriodText(period)}`],
          ...taxRows,
        ];
  const line = ([term = '', text = '']: string[]) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`;
  return `<dl>${rows.map(line).join('')}</dl>`;
}

/** Of a tax that is added, the rate of each due date counts: no sum is promised that holds it. */
function terms({ price, period, trial }: Offer, { tax, taxInclusive }: TaxedCharge): string {
  const plusTax = tax === null || taxInclusive ? '' : ' plus tax';
  const renewal = `${escapeHtml(priceText(price))}${plusTax} ${perPeriodText(period)}`;
  return trial === null
    ? `The subscription renews at ${renewal} until you cancel it. You can cancel at any time and keep
      access until the end of the paid period.`
    : `After ${lengthText(trial)} the subscription costs ${renewal} until you cancel it. Cancel during
      the trial and you pay nothing.`;
}

function methods(): string {
  return PAYMENT_METHODS.map(([value, label], index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label><input type="radio" name="paymentMethod" value="${value}"${checked}> ${label}</label>`;
  }).join('\n      ');
}

/** Where the script, too, says what happens; read aloud when it changes. */
function note(text: string, kind = ''): string {
  return `<p id="outcome" class="note ${kind}" role="status" tabindex="-1">${escapeHtml(text)}</p>`;
}
