import type { Money } from '#domain/money';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';

interface PriceProps {
  readonly locale: PageLocale;
  readonly price: Money;
  /** The purpose, or how often it is paid: `every month`. */
  readonly note?: string;
}

/** The price that a page is about, in its own size. */
export function Price({ locale, price, note = '' }: PriceProps) {
  return (
    <p className="price">
      <strong>{formatPrice(price, locale.format)}</strong> {note}
    </p>
  );
}
