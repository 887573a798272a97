import { deepStrictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import type { LonePayment } from './model-lone.js';
import type { Player, SentOfPayment } from './player.js';

/**
 * Holds the webhooks of first payments that bought nothing against the model: each is its own subject, and nothing orders
 * them among each other.
 *
 * @throws AssertionError with the difference.
 */
export async function compareLone(lone: readonly LonePayment[], player: Player): Promise<void> {
  const count = lone.reduce((sum, { sent }) => sum + sent.length, 0);
  const isThere = () => player.lonePayments().flat().length >= count;
  await eventually(isThere, { what: 'the webhooks', limitMs: 60_000 }).catch(() => undefined);
  const expected = lone.map(show);
  deepStrictEqual(sorted(player.lonePayments()), sorted(expected), 'first payments');
}

const show = ({ sent, cents, tax, reason }: LonePayment): SentOfPayment[] =>
  sent.map((type, n) => ({
    type,
    sequence: n + 1,
    total: type === 'payment.refunded' ? undefined : inMajor(cents),
    tax: type === 'payment.refunded' || tax === null ? undefined : inMajor(tax),
    reason: reason ?? undefined,
  }));

const inMajor = (cents: number) => (cents / 100).toFixed(2);

const sorted = (all: readonly (readonly SentOfPayment[])[]) =>
  all.map((one) => JSON.stringify(one)).sort();
