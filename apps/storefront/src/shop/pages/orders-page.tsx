import type { CreatedOrder } from '#domain/order';
import { formatCount } from '../../languages/count-text.js';
import { formatMoment } from '../../languages/date-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import { Badge, ButtonLink, Price } from '../../pages/parts.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface OrdersPageProps extends ShopFrame {
  readonly orders: readonly CreatedOrder[];
}

/** The player's orders with their states and their links. */
export function OrdersPage({ orders, ...frame }: OrdersPageProps) {
  const { locale } = frame;
  const { texts } = locale;
  return (
    <ShopLayout {...frame} title={texts.orders.title}>
      {orders.length === 0 && <p>{texts.orders.empty}</p>}
      <ul className="orders">
        {orders.map((order) => (
          <li key={order.orderId}>
            <OrderEntry locale={locale} order={order} />
          </li>
        ))}
      </ul>
      <p className="return">
        <a href="/shop">{texts.shop.back}</a>
      </p>
    </ShopLayout>
  );
}

function OrderEntry({ locale, order }: { locale: PageLocale; order: CreatedOrder }) {
  const { order: texts, shop } = locale.texts;
  const { orderId, checkoutLinkId, createdAt, items, quote, status } = order;
  return (
    <>
      <div className="order-head">
        <h2>{texts.number({ orderId })}</h2>
        <Badge text={texts.states[status]} {...(status === 'PAID' && { kind: 'good' })} />
      </div>
      <p className="terms">
        <time dateTime={createdAt}>{formatMoment(createdAt, locale.format, 'day')}</time>
      </p>
      <ul>
        {items.map(({ itemId, name, quantity }, index) => (
          <li key={`${itemId}-${index}`}>
            {`${formatCount(quantity, locale.format)} × `}
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <Price locale={locale} price={quote.amount} />
      {status === 'OPEN' && (
        <ButtonLink href={`/checkout/${encodeURIComponent(checkoutLinkId)}`}>
          {shop.checkout}
        </ButtonLink>
      )}
    </>
  );
}
