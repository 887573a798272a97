import type { ItemOrigin, PaymentLine, PaymentSummary } from '#domain/payment';
import type { StudioNames } from '#domain/personal-data';
import { renderRefunds } from './payment-refunds.js';
import { printPayment } from './payment.js';

/** Prints a payment with its lines and refunds, as one that is asked for by its id is answered (rules/payments 8, 13). */
export function printExplainedPayment(
  state: PaymentSummary,
  names: StudioNames,
  lines: readonly PaymentLine[],
): string {
  const payment = printPayment(state, names);
  const [shownLines, refunds] = [lines.map(renderLine), renderRefunds(state)];
  return `${payment.slice(0, -1)},"lines":${JSON.stringify(shownLines)},"refunds":${JSON.stringify(refunds)}}`;
}

/** A line on the wire, of a payment or of a preview. */
export function renderLine(line: PaymentLine) {
  const { kind, amount, covers, origin } = line;
  return {
    kind,
    amountCents: amount.amountMinor,
    covers,
    ...(line.kind === 'item' && { item: renderItem(line.item) }),
    price: origin && {
      planId: origin.planId,
      amountCents: origin.price.amountMinor,
      lockedAt: origin.lockedAt,
    },
    tax: line.kind !== 'tax' ? null : renderTax(line),
  };
}

function renderItem({ itemId, quantity, price }: ItemOrigin) {
  return { id: itemId, quantity, amountCents: price.amountMinor };
}

function renderTax({ rate, inclusive }: Extract<PaymentLine, { kind: 'tax' }>) {
  return { rate: rate.rate, ratesVersion: rate.version, inclusive };
}
