import { times } from '#domain/money';
import type { CreatedOrder, OrderItem, OrderQuote } from '#domain/order';
import { formatCount } from '../languages/count-text.js';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Row, SummaryList, TotalRow } from './parts.js';

interface OrderItemsProps {
  readonly locale: PageLocale;
  readonly order: CreatedOrder;
  readonly quote: OrderQuote;
}

/** Every item with its amount, then the tax and the whole (rules/orders 2). */
export function OrderItems({ order, quote, locale }: OrderItemsProps) {
  const { order: texts, offer } = locale.texts;
  const { tax, amount } = quote;
  return (
    <SummaryList>
      {order.items.map((item, index) => (
        <ItemRow key={`${item.itemId}-${index}`} item={item} locale={locale} />
      ))}
      {tax !== null && (
        <Row
          label={tax.inclusive ? offer.taxIncluded : offer.tax}
          value={formatPrice(tax.amount, locale.format)}
        />
      )}
      <TotalRow label={texts.total} value={formatPrice(amount, locale.format)} />
    </SummaryList>
  );
}

/** An item as the studio tells of it, in whichever direction: React escapes the text. */
function ItemRow({ item, locale }: { item: OrderItem; locale: PageLocale }) {
  const { description, image, name, price, quantity } = item;
  return (
    <>
      <dt className="bought">
        {image !== '' && <img src={image} alt="" loading="lazy" width={56} height={56} />}
        <span>
          <bdi>{name}</bdi>
          {` × ${formatCount(quantity, locale.format)}`}
        </span>
        {description !== '' && <bdi className="terms description">{description}</bdi>}
      </dt>
      <dd>{formatPrice(times(price, quantity), locale.format)}</dd>
    </>
  );
}
