import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Period } from '../calendar/index.js';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import { usd, wanted } from './spec-support/changes.js';
import { BOUGHT, noted, terms } from './spec-support/subscriptions.js';
import { type SubscriptionCommand, subscriptionAggregate } from './subscription.decide.js';
import type { StartedSubscription, Subscription } from './subscription.state.js';

const { decider } = subscriptionAggregate;

/** The day of month through changes of length (rules/lifecycle 2 and 11). */
const WEEK: Period = { value: 1, unit: 'week' };
const MONTH: Period = { value: 1, unit: 'month' };
const QUARTER: Period = { value: 3, unit: 'month' };
const YEAR: Period = { value: 1, unit: 'year' };
const dunning = DEFAULT_DUNNING;

describe('a subscription of the 31st', () => {
  it('comes back to it where a plan of another length begins in February', () => {
    expect(dates(QUARTER, QUARTER, QUARTER, QUARTER)).toEqual([
      ...['2027-02-28', '2027-05-31', '2027-08-31', '2027-11-30', '2028-02-29'],
    ]);
    expect(dates(QUARTER, YEAR, MONTH, MONTH)).toEqual([
      ...['2027-02-28', '2027-05-31', '2028-05-31', '2028-06-30', '2028-07-31'],
    ]);
  });

  it('goes on from where weeks end, as they have no day of month', () => {
    expect(dates(WEEK, WEEK, MONTH, MONTH)).toEqual([
      ...['2027-02-28', '2027-03-07', '2027-03-14', '2027-04-14', '2027-05-14'],
    ]);
    // To the last day of April, by chance.
    expect(dates({ value: 61, unit: 'day' }, MONTH)).toEqual([
      ...['2027-02-28', '2027-04-30', '2027-05-30'],
    ]);
  });

  it('keeps it where another change takes the place of weeks that have not begun', () => {
    const changed = change(change(begin(BOUGHT), WEEK, '9000'), QUARTER, '900000');
    expect(renew(changed).currentPeriodEnd.slice(0, 10)).toBe('2027-05-31');
  });

  it('keeps it through any changes between months and years', () => {
    const unit = fc.constantFrom('month' as const, 'year' as const);
    const period = fc.record({ value: fc.integer({ min: 1, max: 12 }), unit });
    const day = fc.constantFrom(1, 15, 28, 29, 30, 31);
    fc.assert(
      fc.property(day, fc.array(period, { maxLength: 12 }), (of, periods) => {
        const bought = `2027-01-${String(of).padStart(2, '0')}T10:00:00.000Z`;
        const ends = live(begin(bought), periods);
        expect(ends.filter((end) => Number(end.slice(8, 10)) !== clamped(end, of))).toEqual([]);
      }),
    );
  });
});

function dates(...periods: readonly Period[]): string[] {
  return live(begin(BOUGHT), periods).map((end) => end.slice(0, 10));
}

/** Changes to each of the lengths with the next period, and renews. @returns the ends of all periods. */
function live(bought: StartedSubscription, periods: readonly Period[]): string[] {
  const ends = [bought.currentPeriodEnd];
  let state = bought;
  periods.forEach((period, index) => {
    const plan = { planId: `plan_${index + 2}`, price: usd('0'), period };
    const now = hourBefore(state.currentPeriodEnd);
    state = after(state, { kind: 'SchedulePlanChange', wanted: wanted(plan), now });
    state = renew(state);
    ends.push(state.currentPeriodEnd);
  });
  return ends;
}

function begin(now: string): StartedSubscription {
  const bought = { ...terms, period: MONTH };
  const initialPayment = noted('pay_0');
  return after(decider.initialState, {
    ...{ kind: 'CreateSubscription', terms: bought, initialPayment, now },
  });
}

/** To a dearer plan, at once and for nothing. */
function change(state: StartedSubscription, period: Period, price: string): StartedSubscription {
  const plan = { planId: `plan_${price}`, price: usd(price), period };
  const now = hourBefore(state.currentPeriodEnd);
  const link = { linkId: 'cl_1', attempt: 1, paymentId: 'pay_c', paymentMethod: 'pm_ok' };
  const wish = { wanted: wanted(plan, { amountMinor: '0' }), shown: usd('0'), quotedAt: null };
  return after(state, { kind: 'RequestChange', ...link, ...wish, taxRates: { versions: [] }, now });
}

function renew(state: StartedSubscription): StartedSubscription {
  const now = state.currentPeriodEnd;
  const asked = after(state, { kind: 'ProcessDueDate', dunning, now });
  const payment = noted(asked.pendingCharge?.paymentId ?? '');
  return after(asked, { kind: 'SettleRenewal', ...payment, outcome: 'captured', dunning, now });
}

function after(state: Subscription, command: SubscriptionCommand): StartedSubscription {
  const decision = decider.decide(command, state);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  const next = decision.events.reduce(decider.evolve, state);
  if (next.status === 'none' || next === state) throw new Error(`${command.kind} did nothing`);
  return next;
}

function hourBefore(instant: string): string {
  return new Date(Date.parse(instant) - 3_600_000).toISOString();
}

/** The day of month that an anchored day has in the month of an instant. */
function clamped(instant: string, day: number): number {
  const [year, month] = [Number(instant.slice(0, 4)), Number(instant.slice(5, 7))];
  return Math.min(day, new Date(Date.UTC(year, month, 0)).getUTCDate());
}
