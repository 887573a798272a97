import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addMilliseconds } from '../../calendar/index.js';
import type { PostingPolicy } from '../policy.js';
import { type ChargeKind, makeCharge, START } from '../spec-support/charges.js';
import { addDays, dayAt, lastDay, nextPeriod } from '../days.js';
import { recognize } from '../recognize.js';
import {
  deferredIn,
  earned,
  evolveSchedule,
  isOfSchedule,
  type Schedule,
  scheduleKey,
} from '../schedule.js';
import type { JournalRow } from '../journal-row.js';
import { balances, type Entry, PaymentLedger, signed } from '../spec-support/ledger.js';

/** Random lives of payments: charges of all kinds, and the acts of gateways, players and studios. */
const CURRENCIES = ['EUR', 'JPY', 'KWD'];
const HOUR_MS = 3_600_000;
const POLICY: PostingPolicy = {
  zone: 'America/Los_Angeles',
  itemClasses: [{ match: { prefix: 'skin' }, name: 'durable', lifeDays: 90 }],
};

const upTo = (max: bigint) => fc.bigInt({ min: 1n, max });
/** Small ones, where each rounding counts, and those beyond 2^53. */
const price = fc.oneof(upTo(40n), upTo(10_000n), upTo(10n ** 17n));

const chargeKind: fc.Arbitrary<ChargeKind> = fc.record({
  kind: fc.constantFrom('period' as const, 'change' as const, 'order' as const),
  ...{ first: price, second: price, tax: fc.oneof(fc.constant(0n), upTo(3_000n)) },
  days: fc.constantFrom(0, 7, 31, 365, 365),
  currency: fc.constantFrom(...CURRENCIES),
});

type Act = (ledger: PaymentLedger, now: string) => void;
const id = fc.constantFrom('a', 'b', 'c');
/** A part of the payment, in thousandths. */
const share = fc.integer({ min: 0, max: 1_000 });
const takePart = (ledger: PaymentLedger, thousandths: number) =>
  String((BigInt(ledger.payment.amount.amountMinor) * BigInt(thousandths)) / 1_000n + 1n);

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(id, share).map(([refundId, part]): Act => (ledger, now) => {
    ledger.refund(refundId, now, takePart(ledger, part));
  }),
  fc.tuple(id, share).map(([refundId, part]): Act => (ledger, now) => {
    ledger.command({ kind: 'RequestRefund', refundId, amountMinor: takePart(ledger, part), now });
  }),
  fc
    .tuple(
      id,
      fc.constantFrom('ConfirmRefund' as const, 'ReverseRefund' as const, 'FailRefund' as const),
    )
    .map(([refundId, kind]): Act => (ledger, now) => {
      ledger.command({ kind, refundId, now });
    }),
  fc.tuple(id, share).map(([disputeId, part]): Act => (ledger, now) => {
    const { currency } = ledger.payment.amount;
    const amount = { amountMinor: takePart(ledger, part), currency };
    ledger.command({ kind: 'OpenDispute', disputeId, amount, now });
  }),
  fc.tuple(id, fc.boolean()).map(([disputeId, won]): Act => (ledger, now) => {
    const { amount } = ledger.payment;
    ledger.command({ kind: 'CloseDispute', disputeId, amount, won, now });
  }),
  // A checkpoint may have the event of a closed month behind the closing, by a clock that was late, say.
  fc.constantFrom(0, 40).map((days): Act => (ledger, now) => {
    ledger.closeBefore(addMilliseconds(now, days * 24 * HOUR_MS));
  }),
  fc.constant<Act>((ledger, now) => {
    if (ledger.payment.purpose.kind !== 'order') ledger.expire(now);
  }),
  fc.constant<Act>((ledger, now) => ledger.refund('whole', now)),
  fc.tuple(id, fc.nat(3)).map(([refundId, chance]): Act => (ledger, now) => {
    if (chance === 0) ledger.command({ kind: 'LeavePaymentUnapplied', now });
    else ledger.command({ kind: 'ReverseRefund', refundId, now });
  }),
);

/** A payment that was charged, captured or given up first, and its life since. */
const life: fc.Arbitrary<PaymentLedger> = fc
  .tuple(
    chargeKind,
    fc.boolean(),
    fc.nat(4),
    fc.array(fc.tuple(act, fc.oneof(fc.nat(40), fc.nat(500))), { maxLength: 20 }),
  )
  .map(([kind, inZone, late, acts]) => {
    const ledger = new PaymentLedger(inZone ? POLICY : { ...POLICY, zone: 'UTC' });
    let now = START;
    ledger.charge(makeCharge(kind), now);
    if (late === 4) ledger.command({ kind: 'GiveUpPayment', now, wallNow: now });
    now = addMilliseconds(now, (late % 2) * 13 * 24 * HOUR_MS);
    ledger.capture(now);
    for (const [perform, hours] of acts) {
      now = addMilliseconds(now, hours * HOUR_MS);
      perform(ledger, now);
    }
    return ledger;
  });

const RUNS = { numRuns: 300 };
const AT = '2030-01-01T00:00:00.000Z';
const END = '2028-12';
const sum = (rows: readonly JournalRow[], ...accounts: readonly string[]) =>
  rows
    .filter(({ account }) => accounts.some((one) => account.startsWith(one)))
    .reduce((total, row) => total + signed(row), 0n);
const minor = ({ amountMinor }: { readonly amountMinor: string }) => BigInt(amountMinor);

/** From the events alone: captured less refunded, less disputes that are open or lost. */
function moneyKept(ledger: PaymentLedger, entries: readonly Entry[]): bigint {
  const refunds = new Map<string, bigint>();
  const disputes = new Map<string, bigint>();
  let captured = 0n;
  for (const { event } of entries) {
    if (event.type === 'payment.captured.v1') captured = minor(ledger.payment.amount);
    if (event.type === 'payment.refunded.v1')
      refunds.set(event.data.refundId, minor(event.data.amount));
    if (event.type === 'payment.refund_failed.v1') refunds.delete(event.data.refundId);
    if (event.type === 'payment.dispute_opened.v1')
      disputes.set(event.data.disputeId, minor(event.data.amount));
    if (event.type === 'payment.dispute_closed.v1' && event.data.won)
      disputes.delete(event.data.disputeId);
  }
  return [...refunds.values(), ...disputes.values()].reduce((left, gone) => left - gone, captured);
}

function foldRows(rows: readonly JournalRow[]): Schedule[] {
  const schedules = new Map<string, Schedule>();
  for (const row of rows.filter(isOfSchedule)) {
    schedules.set(scheduleKey(row), evolveSchedule(schedules.get(scheduleKey(row)), row));
  }
  return [...schedules.values()];
}

function months(first: string, last: string): string[] {
  return first > last ? [] : [first, ...months(nextPeriod(first), last)];
}

/** rules/finance 2 and 3 */
describe('the books of any payment', () => {
  it('have equal debits and credits for each event, each with a number of its own', () => {
    fc.assert(
      fc.property(life, ({ entries, rows }) => {
        for (const { rows: posted } of entries) {
          expect(posted.reduce((total, row) => total + signed(row), 0n)).toBe(0n);
          expect(posted.every(({ amountMinor }) => amountMinor > 0n)).toBe(true);
          expect(new Set(posted.map(({ currency }) => currency)).size).toBeLessThan(2);
        }
        const recognized = months('2026-01', END).flatMap((period) =>
          recognize(foldRows(rows), { period, bookedAt: AT }),
        );
        const ids = [...rows, ...recognized].map(
          (row) => `${row.eventId}#${row.number}/${row.recognized}`,
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
      RUNS,
    );
  });

  it('say of each day and each prefix where all the money is that was kept', () => {
    fc.assert(
      fc.property(life, fc.nat(30), fc.nat(400), (ledger, length, day) => {
        const on = addDays('2026-01-01', day);
        const { zone } = ledger.policy;
        const prefix = ledger.entries.slice(0, length);
        const known = [
          prefix,
          prefix.filter(({ event }) => dayAt(happenedAt(event.data), zone) <= on),
        ];
        for (const entries of known) {
          const rows = entries.flatMap((entry) => entry.rows);
          const kept = moneyKept(ledger, entries);
          const schedules = foldRows(rows);
          const earnedByDay = schedules.reduce((total, one) => total + earned(one, on), 0n);
          const deferred = sum(rows, 'liabilities:deferred') - earnedByDay;
          const income = sum(rows, 'income:') + earnedByDay;
          const owed = sum(rows, 'liabilities:tax', 'liabilities:player', 'assets:disputes');
          expect(income + deferred + owed).toBe(kept);
          expect(-sum(rows, 'assets:gateway-clearing')).toBe(kept);
        }
      }),
      RUNS,
    );
  });

  it('recognize over all months what was deferred and not taken, and defer nothing in the end', () => {
    fc.assert(
      fc.property(life, ({ rows }) => {
        const schedules = foldRows(rows);
        const all = months('2026-01', END).flatMap((period) =>
          recognize(schedules, { period, bookedAt: AT }),
        );
        const kept = schedules.reduce((total, one) => total + deferredIn(one), 0n);
        expect(sum(all, 'income:')).toBe(kept);
        expect(sum([...rows, ...all], 'liabilities:deferred')).toBe(0n);
      }),
      RUNS,
    );
  });

  it('never change a month that was closed', () => {
    fc.assert(
      fc.property(life, ({ entries }) => {
        const closed = new Map<string, bigint>();
        const rows: JournalRow[] = [];
        for (const { rows: posted, closedThrough } of entries) {
          const before = foldRows(rows);
          for (const period of closedThrough === '' ? [] : months('2026-01', closedThrough)) {
            if (!closed.has(period)) closed.set(period, recognizedIn(before, period));
          }
          for (const { period, late, effectiveOn } of posted) {
            expect(period > closedThrough).toBe(true);
            expect(late).toBe(effectiveOn.slice(0, 7) <= closedThrough);
          }
          rows.push(...posted);
          const after = foldRows(rows);
          for (const [period, amount] of closed) expect(recognizedIn(after, period)).toBe(amount);
        }
      }),
      RUNS,
    );
  });

  it('owe no tax twice, nothing below zero, and after refunds of everything none at all', () => {
    fc.assert(
      fc.property(life, ({ rows, payment, books }) => {
        const tax = sum(rows, 'liabilities:tax');
        expect(tax >= 0n).toBe(true);
        const isAllBack = payment.lostTotal.amountMinor === '0' && payment.status === 'REFUNDED';
        if (isAllBack || books.isOwedBack) expect(tax).toBe(0n);
        if (payment.status === 'REFUNDED') {
          const all = months('2026-01', END).flatMap((period) =>
            recognize(foldRows(rows), { period, bookedAt: AT }),
          );
          expect(balances([...rows, ...all])['liabilities:deferred-subscriptions']).toBeUndefined();
        }
      }),
      RUNS,
    );
  });
});

function recognizedIn(schedules: readonly Schedule[], period: string): bigint {
  return sum(recognize(schedules, { period, until: lastDay(period), bookedAt: AT }), 'income:');
}

/** The one field of an event of money that is its moment. */
function happenedAt(data: object): string {
  const [, at = ''] = Object.entries(data).find(([name]) => name.endsWith('At')) ?? [];
  return String(at);
}
