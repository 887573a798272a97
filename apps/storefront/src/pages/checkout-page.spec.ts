import { describe, expect, it } from 'vitest';
import { quoteOffer } from '#domain/checkout-link';
import { renderNotice } from './render-page.js';
import {
  attempt,
  BEFORE,
  EXPIRES,
  inEnglish,
  type LinkChanges,
  offer,
  renderLink as html,
} from './spec-support/link-page.js';

const EVIL = `"><script>alert('1')</script>&`;
const decline = {
  attempt: 1,
  reason: 'fraud_suspected',
  declineClass: 'fraud',
  declinedAt: BEFORE,
} as const;

const declined = { ...attempt, decline };
const manyDeclines = (count: number) => Array.from({ length: count }, () => declined);
const later = (seconds: number) => new Date(Date.parse(BEFORE) + seconds * 1000).toISOString();

/** Rates of the United States, each with the moment from which it holds. */
const taxedFrom = (...steps: [rate: string, effectiveFrom: string, inclusive?: boolean][]) => ({
  versions: steps.map(([rate, effectiveFrom, inclusive = false], index) => ({
    ...{ version: index + 1, effectiveFrom, setBy: 'operator:fin', setAt: BEFORE },
    rates: [{ country: 'US', rate, inclusive }],
  })),
});
const quote = (rates: ReturnType<typeof taxedFrom>, of = offer) =>
  quoteOffer({ offer: of, regionCode: 'US' }, rates, BEFORE);

const readState = (changes: LinkChanges, wallNow = BEFORE) =>
  /data-state="(\w+)"/.exec(html(changes, { wallNow }))?.[1];

describe('the checkout page', () => {
  it('shows the state that its link is in', () => {
    expect(readState({})).toBe('open');
    expect(readState({ attempts: [declined] })).toBe('declined');
    expect(readState({ status: 'attempting', attempts: [attempt] })).toBe('pending');
    expect(readState({ status: 'completed', attempts: [attempt] })).toBe('completed');
    expect(readState({}, EXPIRES)).toBe('expired');
  });

  it('of a payment on its way, or made, does not expire', () => {
    expect(readState({ status: 'attempting', attempts: [attempt] }, EXPIRES)).toBe('pending');
    expect(readState({ status: 'completed', attempts: [attempt] }, EXPIRES)).toBe('completed');
  });

  it('can only be paid while it is open', () => {
    const hasForm = (changes: LinkChanges, wallNow = BEFORE) =>
      html(changes, { wallNow }).includes('<form');
    expect(hasForm({})).toBe(true);
    expect(hasForm({ attempts: [declined] })).toBe(true);
    expect(hasForm({ status: 'attempting', attempts: [attempt] })).toBe(false);
    expect(hasForm({ status: 'completed', attempts: [attempt] })).toBe(false);
    expect(hasForm({}, EXPIRES)).toBe(false);
  });

  it('of a payment without an answer can be paid another way, until the link expires', () => {
    const waiting = { status: 'attempting', attempts: [attempt] } as const;
    expect(readState(waiting, later(9))).toBe('pending');
    expect(readState(waiting, later(10))).toBe('unanswered');
    const page = html(waiting, { wallNow: later(10) });
    expect(page).toContain('<form');
    expect(page).toContain('you get it back by itself');
    expect(readState(waiting, EXPIRES)).toBe('pending');
  });

  it('of a payment to be confirmed leads to the bank, and can be paid another way', () => {
    const challengeUrl = 'https://bank.example/confirm?a=1&b=2';
    const challenge = { attempt: 1, sealedUrl: 'v3.x', challengedAt: BEFORE };
    const waiting = { status: 'attempting', attempts: [{ ...attempt, challenge }] } as const;
    expect(readState(waiting)).toBe('challenged');
    expect(html(waiting, { challengeUrl })).toContain(
      'href="https://bank.example/confirm?a=1&amp;b=2"',
    );
    expect(html(waiting)).toContain('<form');
    // The bank still waits for the player then; the link sells nothing more.
    expect(readState(waiting, EXPIRES)).toBe('challenged');
    expect(html(waiting, { wallNow: EXPIRES })).not.toContain('<form');
    const change = {
      kind: 'plan',
      subscriptionId: 'sub_1',
      amountMinor: null,
      unusedCredit: 'forfeit',
    } as const;
    expect(html({ ...waiting, change: { ...change, restartsPeriod: false } })).not.toContain(
      '<form',
    );
    expect(readState({ ...waiting, paidBy: 'pay_1' })).toBe('pending');
  });

  it('of a payment to be confirmed says why a click made no attempt, and how long to wait', () => {
    const challenge = { attempt: 1, sealedUrl: 'v3.x', challengedAt: BEFORE };
    const after = (count: number) => ({
      ...({ status: 'attempting', change: null } as const),
      attempts: Array.from({ length: count }, () => ({ ...attempt, challenge })),
    });
    const refused = html(after(1), { refusal: 'PLAN_NOT_AVAILABLE' });
    expect(refused).toContain('no longer for sale');
    expect(refused).toContain('confirmed it with your bank');
    expect(html(after(5))).toContain('please wait 3 s');
    expect(html(after(5), { wallNow: later(3) })).not.toContain('please wait');
    expect(html(after(5), { wallNow: EXPIRES })).not.toContain('please wait');
  });

  it('shows how long to wait after several declines, and locks after ten, without a form', () => {
    const after = (count: number, seconds = 0) =>
      html({ attempts: manyDeclines(count) }, { wallNow: later(seconds) });
    expect(after(2)).not.toContain('please wait');
    expect(after(9)).toContain('please wait 21 s');
    expect(after(9, 20.5)).toContain('please wait 1 s');
    expect(after(9, 21)).not.toContain('please wait');
    expect(readState({ attempts: manyDeclines(10) })).toBe('locked');
    expect(after(10)).not.toContain('<form');
    expect(after(10)).toContain('ask for a new link');
    // The tenth may still be captured: the page keeps looking.
    const attempts = [...manyDeclines(9), attempt];
    expect(readState({ status: 'attempting', attempts }, later(11))).toBe('pending');
  });

  it('shows that a payment was declined, and not why: that is for the studio', () => {
    expect(html({ attempts: [declined] })).toContain('The payment was declined');
    expect(html({ attempts: [declined] })).not.toMatch(/fraud/i);
  });

  it('escapes whatever a studio or a link says', () => {
    const evil = { ...offer, planName: EVIL, planDescription: EVIL };
    for (const status of ['open', 'attempting', 'completed'] as const) {
      const page = html(
        { status, linkId: EVIL, offer: evil },
        {
          ...{ brand: { name: EVIL, isTest: true }, attemptKey: EVIL },
        },
      );
      expect(page).not.toContain('<script>');
      expect(page).not.toContain(`alert('1')`);
      expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;');
    }
  });

  it('shows a trial before the price', () => {
    const page = html({ offer: { ...offer, trial: { value: 1, unit: 'week' } } });
    expect(page).toContain('<dt class="total">Due today</dt><dd class="total">$0.00</dd>');
    expect(page).toContain('<dt>Free trial</dt><dd>one week</dd>');
    expect(page).toContain('Start the free trial');
    expect(page).toContain('Cancel during');
  });

  it('shows the tax that is in the price, or comes on top of it', () => {
    const onTop = html({}, { quote: quote(taxedFrom(['0.08', BEFORE])) });
    expect(onTop).toContain(
      '<dt>Tax</dt><dd>$0.80</dd><dt class="total">Due today</dt><dd class="total">$10.79</dd>',
    );
    expect(onTop).toContain('Pay $10.79');
    expect(onTop).toContain('renews at $9.99 plus tax every month');
    expect(onTop).toContain('at the rate of the day when each payment is due');
    const within = html({}, { quote: quote(taxedFrom(['0.08', BEFORE, true])) });
    expect(within).toContain('<dt>Tax included</dt><dd>$0.74</dd>');
    expect(within).toContain('renews at $9.99 every month');
    expect(within).not.toContain('at the rate of the day');
  });

  it('sends what it shows that is due, in every state in which it can be paid', () => {
    const taxed = { quote: quote(taxedFrom(['0.08', BEFORE])) };
    const waiting = { status: 'attempting', attempts: [attempt] } as const;
    const sent = (page: string) => /name="amountCents" value="(\d+)"/.exec(page)?.[1];
    expect(sent(html({}, taxed))).toBe('1079');
    expect(sent(html({ attempts: [declined] }, taxed))).toBe('1079');
    expect(sent(html(waiting, { ...taxed, wallNow: later(10) }))).toBe('1079');
    expect(sent(html({}, { ...taxed, cardsAt: 'https://checkout.stripe.com' }))).toBe('1079');
    const trial = { offer: { ...offer, trial: { value: 1, unit: 'week' } } } as const;
    expect(sent(html(trial))).toBe('0');
  });

  it('shows of a trial the tax of the day on which the first charge is due', () => {
    const trial = { ...offer, trial: { value: 1, unit: 'week' } } as const;
    const rates = taxedFrom(
      ['0.08', BEFORE],
      ['0.1', later(6 * 86_400)],
      ['0.2', later(8 * 86_400)],
    );
    const page = html({ offer: trial }, { quote: quote(rates, trial) });
    expect(page).toContain('<dt class="total">Due today</dt><dd class="total">$0.00</dd>');
    expect(page).toContain(
      '<dt>After the trial</dt><dd>$10.99 every month</dd><dt>Tax</dt><dd>$1.00</dd>',
    );
    expect(page).toContain('at the rate of the day when each payment is due');
  });

  it('shows why a click made no attempt, unless there is something newer to show', () => {
    const refused = { refusal: 'PLAN_NOT_AVAILABLE' } as const;
    expect(html({}, refused)).toContain('no longer for sale');
    expect(html({ status: 'completed' }, refused)).not.toContain('no longer for sale');
  });
});

describe('the way back to the game', () => {
  const returnUrl = 'https://game.example/shop?tab=passes&player=a%20b#gold';
  const leads = (outcome: string) =>
    `href="https://game.example/shop?tab=passes&amp;player=a%20b&amp;checkout=${outcome}&amp;id=cl_1#gold"`;

  it.each(['open', 'completed'] as const)('of a link that is %s tells the outcome', (status) => {
    const outcome = status === 'completed' ? 'completed' : 'canceled';
    expect(html({ status, returnUrl })).toContain(leads(outcome));
    expect(html({ status })).not.toContain('<a ');
  });

  it('is not offered while the payment is on its way: its outcome is not known', () => {
    expect(html({ status: 'attempting', attempts: [attempt], returnUrl })).not.toContain('<a ');
  });

  it('is there when the link can no longer be paid', () => {
    expect(html({ returnUrl }, { wallNow: EXPIRES })).toContain(leads('canceled'));
    expect(html({ returnUrl, attempts: manyDeclines(10) })).toContain(leads('canceled'));
  });
});

describe('a page without JavaScript', () => {
  it('looks for the outcome of a payment that is on its way', () => {
    const refresh = '<noscript><meta http-equiv="refresh" content="3"/></noscript>';
    expect(html({ status: 'attempting', attempts: [attempt] })).toContain(refresh);
    // A form that is filled in must not be loaded anew.
    expect(html()).not.toContain('refresh');
  });

  it('looks for the outcome of a payment to be confirmed where it shows no form', () => {
    const challenge = { attempt: 1, sealedUrl: 'v3.x', challengedAt: BEFORE };
    const waiting = { status: 'attempting', attempts: [{ ...attempt, challenge }] } as const;
    expect(html(waiting)).not.toContain('refresh');
    const change = {
      kind: 'plan',
      subscriptionId: 'sub_1',
      amountMinor: null,
      unusedCredit: 'forfeit',
    } as const;
    const ofChange = { ...waiting, change: { ...change, restartsPeriod: false } };
    expect(html(ofChange)).toContain('http-equiv="refresh"');
    expect(html(waiting, { wallNow: EXPIRES })).toContain('http-equiv="refresh"');
  });

  it('posts its form to the address of the payment, under the key of this form', () => {
    expect(html()).toContain('action="/checkout/cl_1/pay" method="post"');
    expect(html()).toContain('<input type="hidden" name="attemptKey" value="form-1"/>');
  });

  it('has nothing inline that the policy forbids', () => {
    for (const page of [html(), html({ status: 'completed' })]) {
      expect(page).not.toMatch(/<style|<script(?! src=)|\son\w+=|\sstyle=/);
    }
  });
});

describe('a page without an offer', () => {
  it.each([
    ['missing', 404, 'There is no such offer'],
    ['unavailable', 503, 'This page cannot be shown just now'],
    ['notConfigured', 200, 'Nothing can be paid here yet'],
  ] as const)('is %s, with its status', (notice, status, title) => {
    const page = renderNotice(notice, inEnglish);
    expect(page.status).toBe(status);
    expect(page.html).toContain(`<h1>${title}</h1>`);
  });
});
