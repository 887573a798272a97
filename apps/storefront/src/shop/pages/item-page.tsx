import type { OfferedItem } from '../browse/show-shop.js';
import { ItemControls } from './item-controls.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';
import { ExpiryNote } from './shop-page.js';

export interface ItemPageProps extends ShopFrame {
  readonly offered: OfferedItem;
}

/** One item, in full. */
export function ItemPage({ offered, ...frame }: ItemPageProps) {
  const { locale } = frame;
  const { item } = offered;
  return (
    <ShopLayout {...frame} title={item.name}>
      <article className="item" data-item-id={item.id}>
        <img src={item.image} alt="" width={320} height={320} />
        <p>{item.description}</p>
        <ExpiryNote locale={locale} expiresAt={item.expiresAt} />
        <ItemControls locale={locale} offered={offered} asksQuantity />
      </article>
      <p className="return">
        <a href="/shop">{locale.texts.shop.back}</a>
      </p>
    </ShopLayout>
  );
}
