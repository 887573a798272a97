import { addPeriods, type Interval } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { PaymentLine } from './payment.lines.js';
import type { PaymentPurpose } from './payment.purpose.js';

/** The part of a payment that dates its period. */
interface Dated {
  readonly purpose: PaymentPurpose;
  readonly capturedAt: Instant | null;
  readonly lines: readonly PaymentLine[];
}

/**
 * The first period begins with the capture, as its subscription does: a bank may have the player confirm hours after
 * the click. Until then period and lines have the dates of the click (decision 0019).
 */
export function datedAtCapture<Payment extends Dated>(payment: Payment): Payment {
  const { purpose, capturedAt, lines } = payment;
  if (capturedAt === null || purpose.kind !== 'subscription_period') return payment;
  const { length, period } = purpose;
  if (length === undefined) return payment;
  const covers = { start: capturedAt, end: addPeriods(capturedAt, length, 1) };
  return {
    ...payment,
    purpose: { ...purpose, period: { ...period, ...covers } },
    lines: lines.map((line) => dated(line, covers)),
  };
}

/** The price holds since the subscription has it: since its first moment. */
function dated(line: PaymentLine, covers: Interval): PaymentLine {
  const origin = line.origin === null ? null : { ...line.origin, lockedAt: covers.start };
  return { ...line, covers, origin };
}
