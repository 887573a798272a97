import type { CreatedOrder, OrderQuote } from '#domain/order';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { MethodChoice } from './payment-form.js';

interface OrderFormProps {
  readonly locale: PageLocale;
  readonly order: CreatedOrder;
  readonly quote: OrderQuote;
  readonly attemptKey: string;
  readonly cardsAt?: string | undefined;
  readonly isFree: boolean;
}

/** Pays or claims an order, and cancels it: forms that need no script (rules/storefront 5). */
export function OrderForm(props: OrderFormProps) {
  const { locale, order, quote, attemptKey, cardsAt, isFree } = props;
  const { order: texts, payment } = locale.texts;
  const page = `/checkout/${encodeURIComponent(order.checkoutLinkId)}`;
  const isCardPage = cardsAt !== undefined && !isFree;
  return (
    <>
      <form method="post" action={isCardPage ? `${page}/card` : `${page}/pay`}>
        {!isFree && !isCardPage && <MethodChoice locale={locale} />}
        {isCardPage && <p className="terms">{payment.cardPage}</p>}
        <input type="hidden" name="attemptKey" value={attemptKey} />
        <input type="hidden" name="amountCents" value={quote.amount.amountMinor} />
        <label>
          <input type="checkbox" name="emailMarketingOptIn" value="true" />
          {texts.emailOptIn}
        </label>
        <button type="submit">
          {isFree ? texts.claim : payment.pay({ price: formatPrice(quote.amount, locale.format) })}
        </button>
        {!isFree && <p className="terms">{texts.terms}</p>}
      </form>
      <form method="post" action={`${page}/cancel`}>
        <button type="submit" className="quiet">
          {texts.cancel}
        </button>
      </form>
    </>
  );
}
