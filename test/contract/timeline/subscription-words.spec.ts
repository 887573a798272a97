import { describe, expect, it } from 'vitest';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { subscriptionAggregate } from '#domain/subscription';
import { changedSubscription } from '../stories/changes.js';
import {
  abandonedSubscription,
  refundedPayment,
  refundedSubscription,
  subscription,
  trialSubscription,
  unappliedPayment,
} from '../stories/purchase.js';
import { describeNext, describePaymentEvent, describeSubscriptionEvent } from '#representations';

/** Of a recorded event only its type and data are needed. */
const recorded = (event: DomainEvent) => event as unknown as RecordedEvent;

const isChange = ({ type }: DomainEvent) => type === 'subscription.plan_changed.v1';

const tell = (events: readonly DomainEvent[]) =>
  events.map((event) => describeSubscriptionEvent(recorded(event)));

describe('a subscription in plain words', () => {
  it('goes from its purchase over a declined renewal to its end', () => {
    expect(tell(subscription.events)).toEqual([
      'bought plan plan_01gold for 9.99 USD, paid until 2027-02-28T10:00:00.000Z',
      expect.stringMatching(
        /^asked for 9\.99 USD for period 2 \(2027-02-28\S+ to 2027-03-31\S+\), attempt 1, as pay_/,
      ),
      expect.stringMatching(
        /was declined \(insufficient_funds, soft\); tried again at 2027-03-01\S+, access until 2027-03-02/,
      ),
      expect.stringMatching(/^asked for .*, attempt 2, as pay_/),
      expect.stringMatching(/^renewed by pay_\w+, paid until 2027-03-31/),
      'canceled, access until 2027-03-31T10:00:00.000Z',
      'the cancellation was taken back',
      'canceled, access until 2027-03-31T10:00:00.000Z',
      'ended at 2027-03-31T10:00:00.000Z: the paid period was over after a cancel',
    ]);
  });

  it('says what trials, late captures and refunds were', () => {
    expect(tell(trialSubscription.events)[0]).toMatch(
      /^began plan \w+ \(9\.99 USD\) with a trial until/,
    );
    expect(tell(abandonedSubscription.events).at(-1)).toMatch(
      /captured after the end, and goes back/,
    );
    expect(tell(refundedSubscription.events).at(-1)).toBe('money of pay_01first was given back');
  });

  it('says what a change loses, what it gives back, and that this was not given back', () => {
    const [changed] = changedSubscription.events.filter(isChange);
    const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
    const credit = { ...{ unused: usd('700'), used: usd('300') }, refunded: usd('0') };
    const lost = { ...credit, forfeited: usd('400') };
    const given = { ...credit, forfeited: usd('0'), refunded: usd('400') };
    const withCredit = (data: object) => ({ ...changed!, data: { ...changed!.data, ...data } });
    const said = tell([
      withCredit({ unusedCredit: lost }),
      withCredit({ unusedCredit: given, refundedPaymentId: 'pay_01first' }),
      changedSubscription.events.at(-1)!,
    ]);
    expect(said.map((text) => text.replace(/^changed to .*; /, ''))).toEqual([
      '4.00 USD of unused time are lost',
      '4.00 USD of unused time go back from pay_01first',
      '3.00 USD of pay_02change that the change was to give back was not given back',
    ]);
  });

  it('says what comes next, and why', () => {
    const { evolve, initialState } = subscriptionAggregate.decider;
    const after = (count: number) => {
      const events = subscription.events.slice(0, count);
      const state = events.reduce(evolve, initialState);
      if (state.status === 'none') throw new Error('a story begins');
      return describeNext(state).why;
    };
    expect([1, 2, 3, 6, 9].map(after)).toEqual([
      'the next period is charged: 9.99 USD',
      expect.stringMatching(
        /^the gateway has not answered for pay_\w+, which is given up; access until/,
      ),
      expect.stringMatching(/^a retry; attempt 1 failed, and grace ends at/),
      'it ends with the paid period',
      'nothing: it has ended',
    ]);
  });

  it('names events that are none of its own by their types', () => {
    const noted = { type: 'command.recorded.v1', data: {} };
    expect(tell([noted, { type: 'toString', data: {} }])).toEqual([
      'a command that changed nothing was noted',
      'toString',
    ]);
  });
});

it('a payment in plain words has its lines, its refunds, and why it buys nothing', () => {
  const describeAll = (events: readonly DomainEvent[]) =>
    events.map((event) => describePaymentEvent(recorded(event)));
  expect(describeAll(refundedPayment.events)).toEqual([
    'asked for 9.99 USD (recurring 9.22 USD, tax 0.77 USD) for period 1 of sub_01gold, attempt 1, by pm_ok',
    'captured',
    'refund ref_00gold of 9.99 USD is asked for, 0.77 USD of it tax',
    'refund ref_00gold of 9.99 USD was not made: it was refused, or could not be made',
    'refund ref_01gold of 4.00 USD is asked for, 0.31 USD of it tax',
    '4.00 USD given back as ref_01gold',
    'refund ref_02gold of 5.99 USD is asked for, 0.46 USD of it tax',
    '5.99 USD given back as ref_02gold',
  ]);
  expect(describeAll(unappliedPayment.events)[2]).toBe(
    'it came too late and buys nothing: it goes back',
  );
});
