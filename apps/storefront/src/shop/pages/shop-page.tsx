import { formatMoment } from '../../languages/date-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import type { OfferedItem, ShopView } from '../browse/show-shop.js';
import { ItemControls } from './item-controls.js';
import { LoyaltySection } from './loyalty-section.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface ShopPageProps extends ShopFrame {
  readonly rows: ShopView['rows'];
  readonly offer: ShopView['offer'];
  readonly loyalty: ShopView['loyalty'];
}

/** The rows of items that a player can buy. */
export function ShopPage({ rows, offer, loyalty, ...frame }: ShopPageProps) {
  const { locale } = frame;
  const { shop } = locale.texts;
  return (
    <ShopLayout {...frame} title={shop.title}>
      <LoyaltySection locale={locale} loyalty={loyalty} nameItem={(id) => nameItem(rows, id)} />
      {rows.every(({ items }) => items.length === 0) && <p>{shop.empty}</p>}
      {rows.map(({ header, items }, index) => (
        <section key={index} className="shop-row">
          {header !== null && <h2>{header}</h2>}
          <ul className="items">
            {items.map((item) => (
              <ShopItem key={item.id} locale={locale} offered={offer(item)} />
            ))}
          </ul>
        </section>
      ))}
    </ShopLayout>
  );
}

function nameItem(rows: ShopPageProps['rows'], itemId: string): string {
  const items = rows.flatMap((row) => row.items);
  return items.find(({ id }) => id === itemId)?.name ?? itemId;
}

/** An item of a row. */
function ShopItem({ locale, offered }: { locale: PageLocale; offered: OfferedItem }) {
  return (
    <li className="item" data-item-id={offered.item.id}>
      <ItemSummary locale={locale} offered={offered} />
      <ItemControls locale={locale} offered={offered} />
    </li>
  );
}

/** A studio's text is shown as it is: React escapes it. */
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
