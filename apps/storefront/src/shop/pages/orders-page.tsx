import type { CreatedOrder } from '#domain/order';
import { formatMoment } from '../../languages/date-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import { Price } from '../../pages/price.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface OrdersPageProps extends ShopFrame {
  readonly orders: readonly CreatedOrder[];
}

/** What a player has ordered in the shop, and what became of it. */
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
  const { order: texts } = locale.texts;
  const { orderId, createdAt, items, quote, status } = order;
  return (
    <>
      <h2>{texts.number({ orderId })}</h2>
      <p>
        <time dateTime={createdAt}>{formatMoment(createdAt, locale.format, 'day')}</time>
        {' · '}
        {texts.states[status]}
      </p>
      <ul>
        {items.map(({ itemId, name, quantity }) => (
          <li key={itemId}>{`${quantity} × ${name}`}</li>
        ))}
      </ul>
      <Price locale={locale} price={quote.amount} />
    </>
  );
}
