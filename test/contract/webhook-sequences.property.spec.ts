import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Period } from '#domain/calendar';
import type { WebhookMessage } from '#webhooks';
import { Life } from './stories/life.js';

/** A possible event in a life, whose clock goes on by some hours first. */
interface Move {
  readonly hours: number;
  readonly act:
    'advance' | 'pay' | 'settle' | 'cancel' | 'cancel_at_once' | 'reactivate' | 'refund';
  readonly paymentMethod: string;
}

const move: fc.Arbitrary<Move> = fc.record({
  hours: fc.integer({ min: 1, max: 900 }),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant('advance' as const) },
    { weight: 3, arbitrary: fc.constantFrom('pay' as const, 'settle' as const) },
    { weight: 2, arbitrary: fc.constantFrom('cancel' as const, 'reactivate' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cancel_at_once' as const, 'refund' as const) },
  ),
  paymentMethod: fc.constantFrom(
    'pm_ok',
    'pm_pending',
    'pm_renewal_declines',
    'pm_renewal_declines_once',
    'pm_decline_do_not_honor',
  ),
});
const WEEK: Period = { value: 1, unit: 'week' };
const life = fc.record({
  trial: fc.constantFrom(null, WEEK),
  moves: fc.array(move, { minLength: 1, maxLength: 25 }),
});

describe('any life', () => {
  it('sends the messages of each subject as 1, 2, 3 ..., in this order', () => {
    fc.assert(
      fc.property(life, ({ trial, moves }) => {
        for (const numbers of groupNumbers(live(trial, moves)).values()) {
          expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives every message an id of its own, and the same one when it is lived again', () => {
    fc.assert(
      fc.property(life, ({ trial, moves }) => {
        const messages = live(trial, moves);
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
        expect(live(trial, moves)).toEqual(messages);
      }),
      { numRuns: 100 },
    );
  });

  it('sends each outcome of a payment and each refund once, and names the subject in the body', () => {
    fc.assert(
      fc.property(life, ({ trial, moves }) => {
        const outcomes = new Set<string>();
        for (const { type, subject, body } of live(trial, moves)) {
          const { data } = JSON.parse(body) as { data: Record<string, string> };
          expect(data['subscription_id'] ?? data['id']).toBe(subject);
          if (!type.startsWith('payment.')) continue;
          const outcome = `${type} ${data['id']} ${data['total_refunded'] ?? ''}`;
          expect(outcomes.has(outcome)).toBe(false);
          outcomes.add(outcome);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** The messages of a life, in the order in which they are sent. */
function live(trial: Period | null, moves: readonly Move[]): WebhookMessage[] {
  const one = new Life(trial);
  for (const { hours, act, paymentMethod } of moves) {
    one.advanceBy(hours);
    if (act === 'pay') one.payAfterPause(paymentMethod);
    if (act === 'settle') one.settlePending();
    if (act === 'cancel' || act === 'cancel_at_once') one.cancel(act === 'cancel');
    if (act === 'reactivate') one.reactivate();
    if (act === 'refund') one.refundInPart();
  }
  return one.messages();
}

function groupNumbers(messages: readonly WebhookMessage[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { subject, sequence } of messages) {
    numbers.set(subject, [...(numbers.get(subject) ?? []), sequence]);
  }
  return numbers;
}
