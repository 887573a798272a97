import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Period } from '../calendar/index.js';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import type { Decline } from '../payment/index.js';
import {
  canceled,
  created,
  createdOnTrial,
  failed,
  hoursAfter,
  noted,
  renewed,
  requested,
  terms,
} from './spec-support/subscriptions.js';
import { subscriptionAggregate } from './subscription.decide.js';
import type { RenewalRequested, SubscriptionCommand, SubscriptionEvent } from './index.js';
import {
  nextDueAt,
  type StartedSubscription,
  type Subscription,
  SUBSCRIPTION_TRANSITIONS,
} from './subscription.state.js';

const { decider } = subscriptionAggregate;

const AT = '2027-02-10T12:00:00.000Z';
const { evolve, decide, initialState } = decider;

/** Any event at all, whether or not it could ever come at that point. */
const anyEvent: fc.Arbitrary<SubscriptionEvent> = fc.constantFrom<SubscriptionEvent>(
  created,
  createdOnTrial,
  requested(1),
  requested(2),
  renewed(1),
  renewed(2),
  failed(1),
  failed(3),
  canceled(AT),
  { type: 'subscription.reactivated.v1', data: { reactivatedAt: AT } },
  {
    type: 'subscription.late_outcome_recorded.v1',
    data: { ...noted('pay_1'), captured: true, recordedAt: AT },
  },
  {
    type: 'subscription.expired.v1',
    data: { cause: 'period_ended', expiredAt: AT, canceledAt: null },
  },
);

describe('any history of a subscription', () => {
  it('folds without an error, the same each time, moves by the table alone, ends at expired', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 25 }), (history) => {
        let state: Subscription = initialState;
        for (const event of history) {
          const next = evolve(state, event);
          if (next.status !== state.status) {
            const move = { from: state.status, on: event.type, to: next.status };
            expect(SUBSCRIPTION_TRANSITIONS).toContainEqual(move);
          }
          if (state.status === 'expired') expect(next.status).toBe('expired');
          // A due date that cannot be computed throws, which fails the property.
          nextDueAt(next);
          state = next;
        }
        expect(history.reduce(evolve, initialState)).toEqual(state);
      }),
    );
  });
});

/** A possible event in the life of a subscription, whose clock goes on by some hours first. */
interface Move {
  readonly hours: number;
  readonly act: 'due' | 'capture' | 'soft' | 'hard' | 'cancel' | 'cancel_at_once' | 'reactivate';
}
const move: fc.Arbitrary<Move> = fc.record({
  hours: fc.integer({ min: 0, max: 400 }),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant('due' as const) },
    { weight: 3, arbitrary: fc.constantFrom('capture' as const, 'soft' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'hard' as const,
        'cancel' as const,
        'cancel_at_once' as const,
        'reactivate' as const,
      ),
    },
  ),
});

describe('any life of a subscription', () => {
  it('asks for one charge at most for a due date and attempt, and one at a time', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const history = live(moves);
        const asked = history
          .filter(isRequest)
          .map(({ data }) => `${data.period.start}/${data.attempt}`);
        expect(new Set(asked).size).toBe(asked.length);
        const steps = history.filter(({ type }) => CHARGE_EVENTS.has(type));
        const areRequests = steps.map(({ type }) => type === 'subscription.renewal_requested.v1');
        expect(areRequests).toEqual(steps.map((_, index) => index % 2 === 0));
      }),
      { numRuns: 300 },
    );
  });

  it('pays each period once, in order, and lets nothing happen after the end', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const history = live(moves);
        const paid = history.filter((event) => event.type === 'subscription.renewed.v1');
        const ends = [created, ...paid].map(({ data }) => data.currentPeriodEnd);
        expect(paid.map(({ data }) => data.dueAt)).toEqual(ends.slice(0, -1));
        expect(ends).toEqual([...new Set(ends)].sort());
        const end = history.findIndex(({ type }) => type === 'subscription.expired.v1');
        const rest = end === -1 ? [] : history.slice(end + 1).map(({ type }) => type);
        expect(rest.filter((type) => type !== 'subscription.late_outcome_recorded.v1')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

const PERIODS: Period[] = [
  { value: 1, unit: 'day' },
  { value: 1, unit: 'week' },
  { value: 1, unit: 'month' },
  { value: 3, unit: 'month' },
  { value: 1, unit: 'year' },
];
const ANCHORS = [1, 15, 28, 29, 30, 31].flatMap((day) =>
  ['00:00:00.000', '10:30:00.000', '23:59:59.999'].map(
    (time) => `2028-01-${String(day).padStart(2, '0')}T${time}Z`,
  ),
);

describe.each(PERIODS)('a subscription of $value $unit, renewed 60 times', (period) => {
  it.each([...ANCHORS, '2028-02-29T00:00:00.000Z'])(
    'from %s neither drifts nor stops',
    (anchor) => {
      const ends = [begin(period, anchor)];
      for (let paid = 1; paid <= 60; paid += 1) ends.push(renew(ends[paid - 1]!));
      const dates = ends.map(({ currentPeriodEnd }) => currentPeriodEnd);
      const isNext = (end: string, index: number) =>
        index === 0 || follows(period, anchor, dates[index - 1]!, end);
      // One expectation for all: expectations are slow, and these would be thousands.
      expect(dates.filter((end, index) => !isNext(end, index))).toEqual([]);
    },
  );
});

/** Whether a period that follows another ends where the anchor wants it. */
function follows({ value, unit }: Period, anchor: string, before: string, end: string): boolean {
  if (end <= before || end.slice(11) !== anchor.slice(11)) return false;
  if (unit === 'month' || unit === 'year') {
    return end.slice(8, 10) === clamped(end, Number(anchor.slice(8, 10)));
  }
  const days = (Date.parse(end) - Date.parse(before)) / 86_400_000;
  return days === value * (unit === 'day' ? 1 : 7);
}

const CHARGE_EVENTS = new Set<string>([
  'subscription.renewal_requested.v1',
  'subscription.renewed.v1',
  'subscription.renewal_failed.v2',
  'subscription.late_outcome_recorded.v1',
]);

function isRequest(event: SubscriptionEvent): event is RenewalRequested {
  return event.type === 'subscription.renewal_requested.v1';
}

function live(moves: readonly Move[]): SubscriptionEvent[] {
  const history: SubscriptionEvent[] = [created];
  let now = created.data.createdAt;
  let state: Subscription = evolve(initialState, created);
  for (const { hours, act } of moves) {
    now = hoursAfter(now, hours);
    const decision = decide(commandFor(act, now, state), state);
    for (const event of decision.accepted ? decision.events : []) {
      history.push(event);
      state = evolve(state, event);
    }
  }
  return history;
}

function commandFor(act: Move['act'], now: string, state: Subscription): SubscriptionCommand {
  switch (act) {
    case 'due':
      return { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now };
    case 'cancel':
    case 'cancel_at_once':
      return { kind: 'CancelSubscription', cancelAtPeriodEnd: act === 'cancel', now };
    case 'reactivate':
      return { kind: 'ReactivateSubscription', now };
    default: {
      const pending = state.status === 'none' ? null : state.pendingCharge;
      const outcome = act === 'capture' ? 'captured' : makeDecline(act);
      const paymentId = pending?.paymentId ?? 'pay_unknown';
      return { kind: 'SettleRenewal', ...noted(paymentId), outcome, dunning: DEFAULT_DUNNING, now };
    }
  }
}

function makeDecline(declineClass: 'soft' | 'hard'): Decline {
  return { reason: 'card_declined', declineClass, rawDeclineCode: '' };
}

function begin(period: Period, now: string): StartedSubscription {
  const bought = { ...terms, period };
  return after(initialState, {
    kind: 'CreateSubscription',
    terms: bought,
    initialPayment: noted('pay_0'),
    now,
  });
}

function renew(state: StartedSubscription): StartedSubscription {
  const now = state.currentPeriodEnd;
  const asked = after(state, {
    kind: 'ProcessDueDate',
    dunning: DEFAULT_DUNNING,
    now,
  });
  return after(asked, commandFor('capture', now, asked));
}

function after(state: Subscription, command: SubscriptionCommand): StartedSubscription {
  const decision = decide(command, state);
  const next = (decision.accepted ? decision.events : []).reduce(evolve, state);
  if (next.status === 'none' || next === state) throw new Error(`${command.kind} did nothing`);
  return next;
}

/** The day of month that an anchored day has in the month of an instant. */
function clamped(instant: string, day: number): string {
  const [year, month] = [Number(instant.slice(0, 4)), Number(instant.slice(5, 7))];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return String(Math.min(day, lastDay)).padStart(2, '0');
}
