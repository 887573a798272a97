import type { PaymentLine, RequestedPayment } from '../../payment/index.js';
import { isDeferred, readCountry } from '../accounts.js';
import type { JournalRow } from '../journal-row.js';
import type { PostingPolicy } from '../policy.js';
import { creditLine } from './captured.js';

/**
 * The line of a payment that an entry of its capture is for; null for the entry on gateway clearing, and for money that
 * was the player's from its capture on.
 */
export function findCapturedLine(
  { lines, regionCode }: Pick<RequestedPayment, 'lines' | 'regionCode'>,
  row: Pick<JournalRow, 'number' | 'account' | 'effectiveOn'>,
  policy: PostingPolicy,
): PaymentLine | null {
  const country = readCountry(regionCode);
  // Clearing is the first entry.
  let number = 2;
  for (const line of lines) {
    const { account, amountMinor } = creditLine(line, country, { at: row.effectiveOn, policy });
    if (amountMinor === 0n) continue;
    if (number === row.number) return account === row.account ? line : null;
    number += isDeferred(account) ? 2 : 1;
  }
  return null;
}
