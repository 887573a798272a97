import { formatMoment } from '../../languages/date-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import type { OfferedItem, ShopView } from '../browse/show-shop.js';
import { ItemControls } from './item-controls.js';
import { LoyaltySection } from './loyalty-section.js';
import { type ShopFrame, ShopLayout } from './shop-layout.js';

export interface ShopPageProps extends ShopFrame {
  readonly rows: ShopView['rows'];
  readonly loyalty: ShopView['loyalty'];
}

/** What a player can buy: rows of items, each with a header where the studio gave one. */
export function ShopPage({ rows, loyalty, ...frame }: ShopPageProps) {
  const { locale, visitor } = frame;
  const { shop } = locale.texts;
  const isEmpty = rows.every(({ items }) => items.length === 0);
  const names = new Map(rows.flatMap(({ items }) => items).map(({ item }) => [item.id, item.name]));
  return (
    <ShopLayout {...frame} title={shop.title}>
      <LoyaltySection
        locale={locale}
        csrf={visitor.csrf}
        loyalty={loyalty}
        nameItem={(itemId) => names.get(itemId) ?? itemId}
      />
      {isEmpty && <p>{shop.empty}</p>}
      {rows.map(({ header, items }, index) => (
        <section key={index} className="shop-row">
          {header !== null && <h2>{header}</h2>}
          <ul className="items">
            {items.map((offered) => (
              <li key={offered.item.id} className="item" data-item-id={offered.item.id}>
                <ItemSummary locale={locale} offered={offered} />
                <ItemControls locale={locale} csrf={visitor.csrf} offered={offered} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </ShopLayout>
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
