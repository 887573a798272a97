import type { Offer, OfferQuote } from '#domain/checkout-link';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Price, Row, SummaryList, TotalRow } from './parts.js';

interface OfferProps {
  readonly locale: PageLocale;
  readonly offer: Offer;
}

/** The amount, and the purchase. A description runs in the direction of the studio's text. */
export function OfferDetails({ locale, offer }: OfferProps) {
  const { price, period, planDescription } = offer;
  return (
    <>
      <Price locale={locale} price={price} note={locale.texts.everyPeriod(period)} />
      {planDescription !== '' && (
        <p className="description" dir="auto">
          {planDescription}
        </p>
      )}
    </>
  );
}

/** The amounts by their dates, with the tax in them, so that a player need not read the terms for it. */
export function DueDates({ locale, offer, quote }: OfferProps & { quote: OfferQuote }) {
  const { texts } = locale;
  const { period, trial } = offer;
  const { amount, tax } = quote.firstCharge;
  const whole = formatPrice(amount, locale.format);
  const taxLabel = tax?.inclusive === true ? texts.offer.taxIncluded : texts.offer.tax;
  const taxRow = tax !== null && (
    <Row label={taxLabel} value={formatPrice(tax.amount, locale.format)} />
  );
  if (trial === null) {
    return (
      <SummaryList>
        {taxRow}
        <TotalRow label={texts.offer.dueToday} value={whole} />
      </SummaryList>
    );
  }
  const nothing = formatPrice(quote.dueNow.amount, locale.format);
  return (
    <SummaryList>
      <TotalRow label={texts.offer.dueToday} value={nothing} />
      <Row label={texts.offer.freeTrial} value={texts.duration(trial)} />
      <Row label={texts.offer.afterTrial} value={`${whole} ${texts.everyPeriod(period)}`} />
      {taxRow}
    </SummaryList>
  );
}

/** The terms that the player agrees to. Of a tax that is added, the rate of each due date counts. */
export function Terms({ locale, offer, quote }: OfferProps & { quote: OfferQuote }) {
  const { price, period, trial } = offer;
  const { duration, everyPeriod, offer: texts } = locale.texts;
  const isTaxAdded = quote.firstCharge.tax?.inclusive === false;
  const renewal = {
    price: formatPrice(price, locale.format),
    every: everyPeriod(period),
    tax: isTaxAdded ? 'added' : 'included',
  } as const;
  const terms =
    trial === null
      ? texts.terms(renewal)
      : texts.termsWithTrial({ trial: duration(trial), ...renewal });
  return <p className="terms">{isTaxAdded ? `${terms} ${texts.taxOfDueDate}` : terms}</p>;
}
