import { type CartLine, MAX_QUANTITY } from '#domain/cart';
import type { PageLocale } from '../../languages/page-locale.js';
import { formatPrice } from '../../languages/price-text.js';
import { Button, Price, Row, SummaryList, TotalRow } from '../../pages/parts.js';
import { type CartTotals, type CartView, addUpLine } from '../cart/cart-views.js';
import { ShopForm } from './shop-form.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface CartPageProps extends ShopFrame {
  readonly view: CartView;
}

/** The items in the cart, their changes since, and the amounts. */
export function CartPage({ view, ...frame }: CartPageProps) {
  const { locale } = frame;
  const { cart, shop } = locale.texts;
  return (
    <ShopLayout {...frame} title={cart.title}>
      {view.lines.length === 0 && <p>{cart.empty}</p>}
      <ul className="cart">
        {view.lines.map((line) => (
          <li key={line.itemId}>
            <CartRow locale={locale} line={line} />
          </li>
        ))}
      </ul>
      {view.totals !== null && (
        <>
          <Totals locale={locale} totals={view.totals} />
          <ShopForm action="/shop/cart/checkout">
            <Button>{shop.checkout}</Button>
          </ShopForm>
        </>
      )}
      <p className="return">
        <a href="/shop">{shop.back}</a>
      </p>
    </ShopLayout>
  );
}

function CartRow({ locale, line }: { locale: PageLocale; line: CartLine }) {
  const { cart, order, shop } = locale.texts;
  const { itemId, name, image, price, quantity, problems } = line;
  const path = encodeURIComponent(itemId);
  return (
    <>
      <img src={image} alt="" loading="lazy" width={80} height={80} />
      <h2>
        <a href={`/shop/items/${path}`}>{name}</a>
      </h2>
      {problems.map((problem) => (
        <p key={problem} className="note bad">
          {cart.problems[problem]}
        </p>
      ))}
      <p>{order.each({ price: formatPrice(price, locale.format) })}</p>
      <ShopForm action={`/shop/cart/items/${path}`}>
        <label className="quantity">
          {shop.quantity}
          <input
            type="number"
            name="quantity"
            min={0}
            max={MAX_QUANTITY}
            defaultValue={quantity}
            inputMode="numeric"
            required
          />
        </label>
        <Button kind="quiet">{shop.update}</Button>
      </ShopForm>
      <ShopForm action={`/shop/cart/items/${path}`}>
        <input type="hidden" name="quantity" value="0" />
        <Button kind="quiet">{shop.remove}</Button>
      </ShopForm>
      <Price locale={locale} price={addUpLine(line)} />
    </>
  );
}

function Totals({ locale, totals }: { locale: PageLocale; totals: CartTotals }) {
  const { offer, order } = locale.texts;
  const { subtotal, tax, isTaxInclusive, total } = totals;
  const taxLabel = isTaxInclusive ? offer.taxIncluded : offer.tax;
  return (
    <SummaryList>
      <Row label={order.subtotal} value={formatPrice(subtotal, locale.format)} />
      <Row label={taxLabel} value={formatPrice(tax, locale.format)} />
      <TotalRow label={order.total} value={formatPrice(total, locale.format)} />
    </SummaryList>
  );
}
