import { MAX_QUANTITY } from '#domain/cart';
import { isPositive } from '#domain/money';
import type { PageLocale } from '../../languages/page-locale.js';
import { formatPrice } from '../../languages/price-text.js';
import { Button } from '../../pages/parts.js';
import type { OfferedItem } from '../browse/show-shop.js';
import { ShopForm } from './shop-form.js';

interface ItemControlsProps {
  readonly locale: PageLocale;
  readonly offered: OfferedItem;
  /** Whether the player is asked how many; else it is one. */
  readonly asksQuantity?: boolean;
}

/** The price of an item, and the player's possible actions. */
export function ItemControls(props: ItemControlsProps) {
  const { locale, offered } = props;
  const { order, shop } = locale.texts;
  const { item } = offered;
  const isFree = !isPositive(item.price);
  const isOut = isSoldOut(offered);
  return (
    <>
      <p className="item-price">{isFree ? order.free : formatPrice(item.price, locale.format)}</p>
      {isOut && <p className="terms">{isFree ? shop.claimed : shop.limitReached}</p>}
      {!isOut && (isFree ? <Claim {...props} /> : <Buy {...props} />)}
    </>
  );
}

/** Whether the player can have no more of an item. */
function isSoldOut({ left, isClaimed }: OfferedItem): boolean {
  return left === 0 || isClaimed;
}

function Claim({ locale, offered: { item } }: ItemControlsProps) {
  const action = `/shop/items/${encodeURIComponent(item.id)}/claim`;
  return (
    <ShopForm action={action} idName="claimId">
      <Button>{locale.texts.shop.claim}</Button>
    </ShopForm>
  );
}

/** One form for both: the pressed button decides its address. */
function Buy(props: ItemControlsProps) {
  const { locale, offered } = props;
  const { shop } = locale.texts;
  return (
    <ShopForm action="/shop/cart/items">
      <Quantity {...props} />
      <button type="submit" name="itemId" value={offered.item.id}>
        {shop.addToCart}
      </button>
      <button
        type="submit"
        className="quiet"
        formAction={`/shop/items/${encodeURIComponent(offered.item.id)}/buy`}
      >
        {shop.buyNow}
      </button>
    </ShopForm>
  );
}

function Quantity({ locale, offered: { item, left }, asksQuantity = false }: ItemControlsProps) {
  const { shop } = locale.texts;
  if (!asksQuantity) return <input type="hidden" name="quantity" value="1" />;
  return (
    <>
      <label className="quantity">
        {shop.quantity}
        <input
          type="number"
          name="quantity"
          min={1}
          max={Math.min(left, MAX_QUANTITY)}
          defaultValue={1}
          inputMode="numeric"
          required
        />
      </label>
      {item.maxPurchasable !== null && <p className="terms">{shop.left({ count: left })}</p>}
    </>
  );
}
