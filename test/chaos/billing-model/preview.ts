import { strictEqual, deepStrictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { compareShown, type ShownLine } from './compare-lines.js';
import type { TakenChange } from './model-change.js';
import { sumLines } from './model-payment.js';
import { askForChange, findPaymentId, type RealSubscription } from './step.js';

/** The preview of a change, as the API has it (rules/payments 18). */
export interface Preview {
  readonly lines: readonly ShownLine[];
  readonly amountCents: string;
  readonly effectiveAt: string;
  /** Undefined where nothing goes back. */
  readonly refundAmountCents?: string;
}

/** Asks for the preview of a change, which makes nothing. @returns undefined where it is refused. */
export async function preview(real: RealSubscription, wish: object): Promise<Preview | undefined> {
  const answer = await askForChange(real, { ...wish, preview: true });
  if (answer.status === 400) return undefined;
  // The answer is the API's own to this path.
  return requireOk(answer).body as object as Preview;
}

/** Holds it against the model. @throws AssertionError with the difference. */
export function comparePreview(
  { lines, amountCents, refundAmountCents }: Preview,
  expected: Pick<TakenChange, 'lines' | 'refunded'>,
  { player }: RealSubscription,
): void {
  compareShown(lines, expected.lines, player, 'a preview');
  strictEqual(amountCents, String(sumLines(expected.lines).cents), 'amount of a preview');
  const refunded = expected.refunded && String(expected.refunded.cents);
  strictEqual(refundAmountCents ?? null, refunded, 'refund of a preview');
}

/** An agreed change is charged to the letter: times, prices and the rules that they come from. */
export async function compareCharge(real: RealSubscription, { lines }: Preview): Promise<void> {
  const id = await findPaymentId(real, 0);
  const charged = await real.player.read(`/sdk/server/payments/${id}`);
  deepStrictEqual(charged['lines'], lines, 'lines as they were shown');
}
