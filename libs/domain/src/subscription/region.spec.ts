import { describe, expect, it } from 'vitest';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { quoteNextCharge } from './next-charge.js';
import { quoteRegion } from './region.decide.js';
import { asked, bronze, decide, fold, MID, usd, wanted } from './spec-support/changes.js';
import {
  canceled,
  created,
  createdOnTrial,
  failed,
  FIRST_DUE,
  requested,
  SECOND_DUE,
  TRIAL_END,
} from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';

/** A player who has moved: the region counts from the next charge on (rules/lifecycle 13). */
const move = (regionCode: string, now = MID) =>
  ({ kind: 'ChangeRegion', regionCode, now }) as const;
const moved = (regionCode: string): SubscriptionEvent => ({
  type: 'subscription.region_changed.v1',
  data: { regionCode, changedAt: MID },
});

const TAXED = onlyRate({ country: 'DE', rate: '0.19', inclusive: false });

describe('another region of a subscription', () => {
  it('is noted by an event, and counts as a message', () => {
    expect(decide([created], move('DE'))).toEqual([moved('DE')]);
    const { regionCode, messageCount } = fold(created, moved('DE'));
    expect([regionCode, messageCount]).toEqual(['DE', fold(created).messageCount + 1]);
  });

  it('is noted once: the region that it has changes nothing', () => {
    expect(decide([created], move('US'))).toEqual([]);
    expect(decide([created, moved('DE')], move('DE'))).toEqual([]);
  });

  it('leaves status, dates, price and a change that waits as they are', () => {
    const history = [
      created,
      ...(decide([created], {
        ...{ kind: 'SchedulePlanChange', wanted: wanted(bronze), now: MID },
      }) as SubscriptionEvent[]),
    ];
    const before = fold(...history);
    expect(fold(...history, moved('DE'))).toEqual({
      ...before,
      regionCode: 'DE',
      messageCount: before.messageCount + 1,
    });
  });

  it('is refused where nothing is charged any more, or a charge has no outcome yet', () => {
    const expired: SubscriptionEvent = {
      type: 'subscription.expired.v1',
      data: { cause: 'canceled_at_once', expiredAt: MID, canceledAt: MID },
    };
    expect(decide([created, expired], move('DE'))).toEqual(['subscription/expired']);
    expect(decide([created, canceled(MID)], move('DE'))).toEqual(['subscription/canceled']);
    for (const history of [
      [created, ...asked],
      [created, requested()],
    ]) {
      expect(decide(history, move('DE'))).toEqual(['subscription/charge_pending']);
    }
    expect(decide([created], move('DE', FIRST_DUE))).toEqual(['subscription/charge_pending']);
  });
});

describe('the preview of another region', () => {
  const quote = (history: SubscriptionEvent[], regionCode = 'DE') =>
    quoteRegion(fold(...history), { regionCode, taxRates: TAXED, now: MID });

  it('says what the next charge will be, with its tax, and when', () => {
    expect(quote([created])).toMatchObject({
      accepted: true,
      next: { dueAt: FIRST_DUE, amount: usd('1189') },
    });
    expect(quote([created], 'US')).toMatchObject({ next: { amount: usd('999') } });
  });

  it('is of the plan that the next charge is for', () => {
    const command = { kind: 'SchedulePlanChange', wanted: wanted(bronze), now: MID };
    const scheduled = decide([created], command) as SubscriptionEvent[];
    expect(quote([created, ...scheduled])).toMatchObject({ next: { amount: usd('594') } });
  });

  it('is of the open period where that is charged next, and of the first one after a trial', () => {
    const open = quoteRegion(fold(created, requested(), failed()), {
      ...{ regionCode: 'DE', taxRates: TAXED },
      now: '2027-02-28T12:00:00.000Z',
    });
    expect(open).toMatchObject({
      next: {
        dueAt: '2027-03-01T10:00:00.000Z',
        period: { start: FIRST_DUE, end: SECOND_DUE },
        amount: usd('1189'),
      },
    });
    expect(quoteRegion(fold(createdOnTrial), at('2027-02-01T10:00:00.000Z'))).toMatchObject({
      next: { dueAt: TRIAL_END, amount: usd('1189') },
    });
  });

  it('is what the charge then asks for', () => {
    const due = { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: FIRST_DUE };
    const [renewal] = decide([created, moved('DE')], due) as SubscriptionEvent[];
    const next = quoteNextCharge(fold(created, moved('DE')), TAXED);
    expect(renewal).toMatchObject({ data: { period: next.period, amount: usd('999') } });
  });

  it('is refused as the command is', () => {
    expect(quote([created, canceled(MID)])).toMatchObject({
      rejection: { code: 'subscription/canceled' },
    });
  });
});

function at(now: string) {
  return { regionCode: 'DE', taxRates: TAXED, now };
}
