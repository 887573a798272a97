import { formatMoment } from '../../languages/date-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import type { OfferedItem, ShopView } from '../browse/show-shop.js';
import { ItemControls } from './item-controls.js';
import { LoyaltySection } from './loyalty-section.js';
import { MARKS } from './page-template.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface ShopPageProps extends ShopFrame {
  readonly rows: ShopView['rows'];
  readonly offer: ShopView['offer'];
  readonly loyalty: ShopView['loyalty'];
}

/** What a player can buy: rows of items, which stand where the mark for parts is. */
export function ShopPage({ rows, loyalty, ...frame }: Omit<ShopPageProps, 'offer'>) {
  const { locale } = frame;
  const { shop } = locale.texts;
  return (
    <ShopLayout {...frame} title={shop.title}>
      <LoyaltySection locale={locale} loyalty={loyalty} nameItem={(id) => nameItem(rows, id)} />
      {isEmpty(rows) && <p>{shop.empty}</p>}
      {MARKS.parts}
    </ShopLayout>
  );
}

/** Whether there is nothing to buy. */
export function isEmpty(rows: ShopPageProps['rows']): boolean {
  return rows.every(({ items }) => items.length === 0);
}

function nameItem(rows: ShopPageProps['rows'], itemId: string): string {
  const items = rows.flatMap((row) => row.items);
  return items.find(({ id }) => id === itemId)?.name ?? itemId;
}

/** A row, with a header where the studio gave one; its items stand where the mark for parts is. */
export function ShopRow({ header }: { header: string | null }) {
  return (
    <section className="shop-row">
      {header !== null && <h2>{header}</h2>}
      <ul className="items">{MARKS.parts}</ul>
    </section>
  );
}

/** An item of a row. */
export function ShopItem({ locale, offered }: { locale: PageLocale; offered: OfferedItem }) {
  return (
    <li className="item" data-item-id={offered.item.id}>
      <ItemSummary locale={locale} offered={offered} />
      <ItemControls locale={locale} offered={offered} />
    </li>
  );
}

/** What a studio writes is shown as it is: React escapes it. */
function ItemSummary({ locale, offered: { item } }: { locale: PageLocale; offered: OfferedItem }) {
  return (
    <>
      <img src={item.image} alt="" loading="lazy" width={160} height={160} />
      <h3>
        <a href={`/shop/items/${encodeURIComponent(item.id)}`}>{item.name}</a>
      </h3>
      <p>{item.description}</p>
      <ExpiryNote locale={locale} expiresAt={item.expiresAt} />
    </>
  );
}

/** Until when an offer lasts, where it ends. */
export function ExpiryNote({
  locale,
  expiresAt,
}: {
  locale: PageLocale;
  expiresAt: string | null;
}) {
  if (expiresAt === null) return null;
  const time = `${formatMoment(expiresAt, locale.format, 'minute')} UTC`;
  return (
    <p className="terms">
      <time dateTime={expiresAt}>{locale.texts.shop.expires({ time })}</time>
    </p>
  );
}
