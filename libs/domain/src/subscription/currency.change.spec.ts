import { describe, expect, it } from 'vitest';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import { noTaxRates } from '../pricing/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { quoteCurrency } from './currency.change.js';
import {
  ask,
  asked,
  bronze,
  decide,
  fold,
  gold,
  MID,
  usd,
  wanted,
  yearly,
} from './spec-support/changes.js';
import {
  BOUGHT,
  canceled,
  created,
  createdOnTrial,
  failed,
  FIRST_DUE,
  requested,
  SECOND_DUE,
  terms,
  TRIAL_END,
} from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';

/** A currency ends, and its subscriptions go on in another one (rules/lifecycle 14). */
const eur = (amountMinor: string) => ({ amountMinor, currency: 'EUR' });
const TAXED = onlyRate({ country: 'US', rate: '0.1', inclusive: false });
const offer = {
  ...{ planId: terms.planId, period: terms.period },
  ...{ formerPrice: terms.price, price: eur('899') },
};
const moveWith = (offered: object = offer, now = MID, taxRates = noTaxRates) =>
  ({
    kind: 'ChangeCurrency',
    from: 'USD',
    to: 'EUR',
    offered: { ...offer, ...offered },
    lockedPrices: 'keep',
    taxRates,
    now,
  }) as const;
const move = moveWith();
const schedule = (plan: typeof bronze, now = MID) => ({
  ...{ kind: 'SchedulePlanChange', wanted: wanted(plan), now },
});
const due = (now: string) => ({ kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now });

/** A history, and the outcome of each command after it. */
function play(history: readonly SubscriptionEvent[], ...commands: unknown[]): SubscriptionEvent[] {
  return commands.reduce<SubscriptionEvent[]>(
    (events, command) => {
      const given = decide(events, command);
      // A rejection is a text, and no event.
      expect(given.filter((one) => typeof one === 'string')).toEqual([]);
      return [...events, ...(given as SubscriptionEvent[])];
    },
    [...history],
  );
}

/** The first period after the move is paid. */
function playRenewed(history: readonly SubscriptionEvent[]): SubscriptionEvent[] {
  const renewing = play(history, due(FIRST_DUE));
  const paymentId = fold(...renewing).pendingCharge?.paymentId;
  const settle = { kind: 'SettleRenewal', paymentId, paymentRevision: 1, outcome: 'captured' };
  return play(renewing, { ...settle, dunning: DEFAULT_DUNNING, now: FIRST_DUE });
}

/** The next charge with the move, or why there is none. */
const quote = (history: readonly SubscriptionEvent[], command: object = {}) => {
  const quoted = quoteCurrency(fold(...history), { ...move, ...command });
  return quoted.moves ? quoted.after.amount : quoted.reason;
};

describe('a move to another currency', () => {
  it('is announced, with the date and the amount, and changes nothing until then', () => {
    const [told] = decide([created], moveWith(offer, MID, TAXED)) as SubscriptionEvent[];
    expect(told).toMatchObject({
      type: 'subscription.currency_change_scheduled.v1',
      data: {
        plan: { planId: terms.planId, price: eur('899'), period: terms.period },
        effectiveAt: FIRST_DUE,
        lines: [
          { kind: 'recurring', amount: eur('899') },
          { kind: 'tax', amount: eur('90') },
        ],
      },
    });
    const before = fold(created);
    const { planId, period } = terms;
    expect(fold(...play([created], move))).toEqual({
      ...before,
      scheduledChange: {
        plan: { planId, price: eur('899'), period },
        ...{ effectiveAt: FIRST_DUE, movesCurrency: true },
      },
      messageCount: before.messageCount + 1,
    });
  });

  it('is quoted as it is decided: the charge of then, without it and with it', () => {
    const quoted = quoteCurrency(fold(created), moveWith(offer, MID, TAXED));
    const [told] = decide([created], moveWith(offer, MID, TAXED));
    expect(quoted).toMatchObject({
      ...{ moves: true, before: { dueAt: FIRST_DUE, amount: usd('1099') } },
      after: { dueAt: FIRST_DUE, amount: eur('989') },
    });
    expect(told).toMatchObject({ data: { lines: quoted.moves && quoted.after.lines } });
  });

  it('happens with the next renewal, which is charged in it', () => {
    const history = play([created], move);
    expect(decide(history, due(FIRST_DUE))).toMatchObject([
      { type: 'subscription.plan_changed.v1', data: { planId: 'plan_1', price: eur('899') } },
      { type: 'subscription.renewal_requested.v1', data: { amount: eur('899') } },
    ]);
    const renewed = fold(...playRenewed(history));
    expect(renewed).toMatchObject({
      ...{ status: 'active', price: eur('899'), scheduledChange: null },
      ...{ currentPeriodStart: FIRST_DUE, currentPeriodEnd: SECOND_DUE, priceLockedAt: FIRST_DUE },
    });
  });

  it('is announced once, however often it is asked for, also when the price has changed since', () => {
    const history = play([created], move);
    const dearer = moveWith({ price: eur('999') });
    expect([decide(history, move), decide(history, dearer)]).toEqual([[], []]);
    expect(quote(history)).toBe('already_scheduled');
    expect(quote(playRenewed(history))).toBe('other_currency');
    expect(decide(playRenewed(history), move)).toEqual([]);
  });
});

describe('a subscription stays in its currency', () => {
  it.each([
    ['no_price', [created], moveWith({ price: null })],
    ['period_differs', [created], moveWith({ period: yearly.period })],
    ['plan_changed', [created], moveWith({ planId: 'plan_9' })],
    ['other_currency', [created], { ...move, from: 'BGN' }],
    ['other_currency', [created], { ...move, to: 'USD' }],
    ['ended', [created, canceled(MID)], move],
    ['charge_pending', [created, ...asked], move],
    ['charge_pending', [created, requested()], move],
    ['charge_pending', [created], moveWith(offer, FIRST_DUE)],
  ])('%s', (reason, history, command) => {
    expect(quote(history as SubscriptionEvent[], command)).toBe(reason);
    expect(decide(history as SubscriptionEvent[], command)).toEqual([]);
  });

  it.each([
    ['is another one by now', usd('1299')],
    ['is gone', null],
  ])(
    'price_locked: it keeps its price where that of the plan %s, unless it is said',
    (_how, now) => {
      const command = moveWith({ formerPrice: now });
      expect(quote([created], command)).toBe('price_locked');
      expect(decide([created], command)).toEqual([]);
      expect(quote([created], { ...command, lockedPrices: 'replace' })).toEqual(eur('899'));
    },
  );
});

describe('the renewal that a move waits for', () => {
  it('is the one after an open period, which is paid as it was due, at every retry', () => {
    const now = '2027-02-28T12:00:00.000Z';
    const history = play([created, requested(), failed()], moveWith(offer, now));
    expect(fold(...history).scheduledChange?.effectiveAt).toBe(SECOND_DUE);
    expect(decide(history, due('2027-03-01T10:00:00.000Z'))).toMatchObject([
      { type: 'subscription.renewal_requested.v1', data: { amount: usd('999') } },
    ]);
  });

  it('is the first charge after a trial', () => {
    const [told] = decide([createdOnTrial], moveWith(offer, BOUGHT));
    expect(told).toMatchObject({ data: { effectiveAt: TRIAL_END } });
  });

  it('is of the plan that waits for it', () => {
    const silver = { planId: bronze.planId, formerPrice: bronze.price, price: eur('449') };
    const history = play([created], schedule(bronze), moveWith(silver));
    expect(fold(...history).scheduledChange).toMatchObject({
      ...{ plan: { ...bronze, price: eur('449') }, effectiveAt: FIRST_DUE },
    });
  });
});

describe('a move that waits', () => {
  const history = play([created], move);

  it.each([
    ['a cheaper plan', bronze],
    ['a dearer plan', gold],
    ['the present plan', { planId: terms.planId, price: terms.price, period: terms.period }],
  ])('gives way to no other plan: %s', (_which, plan) => {
    expect(decide(history, schedule(plan))).toEqual(['subscription/currency_changing']);
    expect(decide(history, ask(wanted(plan)))).toMatchObject([
      { data: { refusal: 'subscription/currency_changing' } },
    ]);
  });

  it('outlasts another payment method', () => {
    const methodChanged = play(history, ask(wanted(null), { shown: '0' }));
    expect(fold(...methodChanged)).toMatchObject({
      ...{ paymentMethod: 'pm_new', scheduledChange: { movesCurrency: true } },
    });
  });

  it('does not happen where the subscription ends before', () => {
    const ended = play(history, { kind: 'CancelSubscription', cancelAtPeriodEnd: false, now: MID });
    expect(fold(...ended).scheduledChange).toBeNull();
    const atEnd = play(history, { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: MID });
    expect(decide(atEnd, due(FIRST_DUE))).toMatchObject([
      { type: 'subscription.expired.v1', data: { cause: 'period_ended' } },
    ]);
  });

  it('is there again when a cancel is taken back', () => {
    const back = play(
      history,
      { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: MID },
      { kind: 'ReactivateSubscription', now: MID },
    );
    expect(decide(back, due(FIRST_DUE))).toMatchObject([
      { type: 'subscription.plan_changed.v1', data: { price: eur('899') } },
      { type: 'subscription.renewal_requested.v1', data: { amount: eur('899') } },
    ]);
  });
});

describe('a subscription that was moved', () => {
  const now = '2027-03-14T10:00:00.000Z';
  const moved = playRenewed(play([created], move));

  it('refuses what a page offers in the former currency, and charges nothing', () => {
    for (const plan of [gold, bronze]) {
      expect(decide(moved, ask(wanted(plan), { now }))).toMatchObject([
        { data: { refusal: 'subscription/currency_changed' } },
      ]);
    }
  });

  it('changes to a plan at its price in the new currency', () => {
    const plan = { ...gold, price: eur('1799') };
    const click = { ...ask(wanted(plan), { now }), shown: eur('99999') };
    expect(decide(moved, click)).toMatchObject([
      {
        type: 'subscription.change_requested.v1',
        data: {
          lines: [{ amount: { currency: 'EUR' } }, { amount: { currency: 'EUR' } }],
        },
      },
    ]);
  });

  it('takes another payment method, whatever currency its page was in', () => {
    expect(decide(moved, ask(wanted(null), { now, shown: '0' }))).toMatchObject([
      { type: 'subscription.payment_method_changed.v1' },
    ]);
  });

  it('does not pay an open period by what was shown in another currency', () => {
    const open = '2027-02-28T12:00:00.000Z';
    const history = play([created], move, due(FIRST_DUE));
    const paymentId = fold(...history).pendingCharge?.paymentId ?? '';
    const pastDue = [...history, failed(1, { paymentId })];
    expect(decide(pastDue, ask(wanted(null), { now: open }))).toMatchObject([
      { data: { refusal: 'subscription/currency_changed' } },
    ]);
  });
});
