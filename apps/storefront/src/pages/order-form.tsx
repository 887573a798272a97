import type { CreatedOrder, OrderQuote } from '#domain/order';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Button } from './parts.js';
import { PaymentForm } from './payment-form.js';

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
export function OrderForm({ order, quote, ...form }: OrderFormProps) {
  const { locale, isFree } = form;
  const { order: texts, payment } = locale.texts;
  const { checkoutLinkId: linkId } = order;
  const price = formatPrice(quote.amount, locale.format);
  return (
    <>
      <PaymentForm
        {...form}
        linkId={linkId}
        amountCents={quote.amount.amountMinor}
        label={isFree ? texts.claim : payment.pay({ price })}
        terms={isFree ? undefined : texts.terms}
      >
        <label className="choice">
          <input type="checkbox" name="emailMarketingOptIn" value="true" />
          {texts.emailOptIn}
        </label>
      </PaymentForm>
      <form method="post" action={`/checkout/${encodeURIComponent(linkId)}/cancel`}>
        <Button kind="quiet">{texts.cancel}</Button>
      </form>
    </>
  );
}
