import type { CreatedOrder, OrderQuote } from '#domain/order';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Button } from './parts.js';
import { MethodChoice, nameScriptTexts, QUIET } from './payment-form.js';

interface OrderFormProps {
  readonly locale: PageLocale;
  readonly order: CreatedOrder;
  readonly quote: OrderQuote;
  readonly attemptKey: string;
  readonly cardsAt?: string | undefined;
  readonly isFree: boolean;
  /** Whether something else on the page is to be clicked first. */
  readonly isSecond: boolean;
}

/** Pays or claims an order, and cancels it: forms that need no script (rules/storefront 5). */
export function OrderForm(props: OrderFormProps) {
  const { locale, order, quote, attemptKey, cardsAt, isFree, isSecond } = props;
  const { order: texts, payment } = locale.texts;
  const page = `/checkout/${encodeURIComponent(order.checkoutLinkId)}`;
  const isCardPage = cardsAt !== undefined && !isFree;
  return (
    <>
      <form
        method="post"
        {...(isCardPage
          ? { id: 'card', action: `${page}/card` }
          : { id: 'checkout', action: `${page}/pay`, ...nameScriptTexts(locale) })}
      >
        {!isFree && !isCardPage && <MethodChoice locale={locale} />}
        {isCardPage && <p className="terms">{payment.cardPage}</p>}
        <input type="hidden" name="attemptKey" value={attemptKey} />
        <input type="hidden" name="amountCents" value={quote.amount.amountMinor} />
        <label className="choice">
          <input type="checkbox" name="emailMarketingOptIn" value="true" />
          {texts.emailOptIn}
        </label>
        <Button {...(isSecond && QUIET)}>
          {isFree ? texts.claim : payment.pay({ price: formatPrice(quote.amount, locale.format) })}
        </Button>
        {!isFree && <p className="terms">{texts.terms}</p>}
      </form>
      <form method="post" action={`${page}/cancel`}>
        <Button kind="quiet">{texts.cancel}</Button>
      </form>
    </>
  );
}
