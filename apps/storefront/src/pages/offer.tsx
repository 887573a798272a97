import type { Offer } from '#domain/checkout-link';
import { zero } from '#domain/money';
import type { TaxedCharge } from '#domain/pricing';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';

interface OfferProps {
  readonly locale: PageLocale;
  readonly offer: Offer;
}

/** Who sells what, and for how much. */
export function OfferHeading({
  locale,
  offer,
  seller,
  title,
}: OfferProps & { seller: string; title: string }) {
  const { price, period, planDescription } = offer;
  return (
    <>
      <p className="seller">{seller}</p>
      <h1>{title}</h1>
      <p className="price">
        <strong>{formatPrice(price, locale.format)}</strong> {locale.texts.everyPeriod(period)}
      </p>
      {planDescription !== '' && <p>{planDescription}</p>}
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
      <dl>
        {taxRow}
        <Row label={texts.offer.dueToday} value={whole} />
      </dl>
    );
  }
  const nothing = formatPrice(zero(price.currency), locale.format);
  return (
    <dl>
      <Row label={texts.offer.dueToday} value={nothing} />
      <Row label={texts.offer.freeTrial} value={texts.duration(trial)} />
      <Row label={texts.offer.afterTrial} value={`${whole} ${texts.everyPeriod(period)}`} />
      {taxRow}
    </dl>
  );
}

/** One line of what is due. */
export function Row({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
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
