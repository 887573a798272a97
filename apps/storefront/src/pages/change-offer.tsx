import type { PaymentLine } from '#domain/payment';
import type { ShownChange } from '#domain/subscription';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Row, SummaryList, TotalRow } from './parts.js';

interface ChangeOfferProps {
  readonly locale: PageLocale;
  readonly quote: ShownChange;
}

/** The lines of a change at once, as they will be charged, and the player's refund. */
export function ChangeLines({ locale, quote }: ChangeOfferProps) {
  const { change, offer } = locale.texts;
  return (
    <SummaryList>
      {quote.lines.map((line, index) => (
        <Row
          key={`${line.kind}-${index}`}
          label={chooseLabel(line, locale)}
          value={formatPrice(line.amount, locale.format)}
        />
      ))}
      <TotalRow label={offer.dueToday} value={formatPrice(quote.amount, locale.format)} />
      {quote.refund !== null && (
        <Row label={change.givenBack} value={formatPrice(quote.refund, locale.format)} />
      )}
    </SummaryList>
  );
}

function chooseLabel(line: PaymentLine, { texts: { change, offer } }: PageLocale): string {
  switch (line.kind) {
    case 'recurring':
      return change.openPeriod;
    case 'proration_charge':
      return change.newTime;
    case 'proration_credit':
      return change.unusedTime;
    case 'credit_forfeited':
      return change.lostTime;
    case 'credit_refunded':
      return change.refundedTime;
    case 'item':
      // A change sells none.
      return line.item.itemId;
    case 'tax':
      return line.inclusive ? offer.taxIncluded : offer.tax;
  }
}
