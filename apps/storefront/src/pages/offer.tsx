import type { Offer } from '#domain/checkout-link';
import { zero } from '#domain/money';
import type { TaxedCharge } from '#domain/pricing';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Price } from './price.js';
import { Row, SummaryList, TotalRow } from './summary-list.js';

interface OfferProps {
  readonly locale: PageLocale;
  readonly offer: Offer;
}

/** How much it is, and what for. A description runs in the direction of what the studio wrote. */
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

/** What is paid when, and what of it is tax, so that a player need not read the terms for it. */
export function DueDates({ locale, offer, charge }: OfferProps & { charge: TaxedCharge }) {
  const { texts } = locale;
  const { price, period, trial } = offer;
  const { tax } = charge;
  const whole = formatPrice(charge.amount, locale.format);
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
  const nothing = formatPrice(zero(price.currency), locale.format);
  return (
    <SummaryList>
      <TotalRow label={texts.offer.dueToday} value={nothing} />
      <Row label={texts.offer.freeTrial} value={texts.duration(trial)} />
      <Row label={texts.offer.afterTrial} value={`${whole} ${texts.everyPeriod(period)}`} />
      {taxRow}
    </SummaryList>
  );
}

/** What the player agrees to. Of a tax that is added, the rate of each due date counts. */
export function Terms({ locale, offer, charge }: OfferProps & { charge: TaxedCharge }) {
  const { price, period, trial } = offer;
  const { duration, everyPeriod, offer: texts } = locale.texts;
  const renewal = {
    price: formatPrice(price, locale.format),
    every: everyPeriod(period),
    tax: charge.tax?.inclusive === false ? 'added' : 'included',
  } as const;
  const terms =
    trial === null
      ? texts.terms(renewal)
      : texts.termsWithTrial({ trial: duration(trial), ...renewal });
  return <p className="terms">{terms}</p>;
}
