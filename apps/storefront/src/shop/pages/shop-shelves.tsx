/**
 * The page of the shop, put together of parts that are the same on most pages: what is around the rows, each row, and each
 * item. Rendering 40 items was a fifth of a page, and most players of a studio are shown the same ones. Where all of it is
 * the same, the whole page is.
 */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { CatalogItem, CatalogRow } from '#domain/catalog';
import { isPositive } from '#domain/money';
import type { PageLocale } from '../../languages/page-locale.js';
import { DOCTYPE } from '../../pages/render-page.js';
import { isSoldOut } from './item-controls.js';
import { KeptTemplates } from './kept-templates.js';
import { PageTemplate } from './page-template.js';
import { isEmpty, ShopItem, ShopPage, type ShopPageProps, ShopRow } from './shop-page.js';

/** Whole pages of one app, and of all: some hundred of 40 items, and eight hundred. */
const PAGE_BYTES = 4 * 1_048_576;
const ALL_PAGE_BYTES = 32 * 1_048_576;

const parts = new KeptTemplates();
/** A page that is looked at once would push out those that many look at. */
const pages = new KeptTemplates(PAGE_BYTES, ALL_PAGE_BYTES, 'second');

/** The HTML of the page. */
export function renderShelves(
  props: ShopPageProps,
  { appId, csrf }: { readonly appId: string; readonly csrf: string },
): Buffer {
  const frame = nameFrame(props);
  if (frame === undefined) return compose(appId, props, frame).fill(csrf);
  const key = `${frame} ${numberObject(props.rows)} ${listSoldOut(props)}`;
  return pages.find(appId, key, () => compose(appId, props, frame)).fill(csrf);
}

function compose(appId: string, props: ShopPageProps, frame: string | undefined): PageTemplate {
  const { rows, offer, locale } = props;
  const shelves = rows.map(({ header, items }) =>
    findRow(appId, header).around(items.map((item) => findItem(appId, offer(item), locale))),
  );
  const make = () => render(<ShopPage {...props} />, DOCTYPE);
  const around = frame === undefined ? make() : parts.find(appId, `frame ${frame}`, make);
  return around.around(shelves);
}

function findItem(
  appId: string,
  offered: ReturnType<ShopPageProps['offer']>,
  locale: PageLocale,
): PageTemplate {
  const key = `item ${numberObject(offered.item)} ${isSoldOut(offered)} ${nameLocale(locale)}`;
  return parts.find(appId, key, () => render(<ShopItem locale={locale} offered={offered} />));
}

function findRow(appId: string, header: string | null): PageTemplate {
  const key = `row ${header === null ? '' : `of ${header}`}`;
  return parts.find(appId, key, () => render(<ShopRow header={header} />));
}

/** What many players see around the rows; undefined where points or a refusal make it few players' own. */
function nameFrame(props: ShopPageProps): string | undefined {
  const { locale, brand, cartQuantity, refusal = '', loyalty, rows } = props;
  if (refusal !== '' || loyalty.length > 0) return undefined;
  return `${nameLocale(locale)} ${numberObject(brand)} ${cartQuantity} ${isEmpty(rows)}`;
}

/** What a locale's texts and prices depend on. */
function nameLocale({ language, format }: PageLocale): string {
  return `${language} ${format}`;
}

const limited = new WeakMap<readonly CatalogRow[], readonly CatalogItem[]>();

/** The places, among the items of which a player may have no more, of those that are so: all others look alike to all. */
function listSoldOut({ rows, offer }: Pick<ShopPageProps, 'rows' | 'offer'>): string {
  const items = limited.get(rows) ?? rows.flatMap((row) => row.items.filter(isLimited));
  limited.set(rows, items);
  let places = '';
  items.forEach((item, place) => {
    if (isSoldOut(offer(item))) places += `${place} `;
  });
  return places;
}

function isLimited({ maxPurchasable, price }: CatalogItem): boolean {
  return maxPurchasable !== null || !isPositive(price);
}

function render(element: ReactElement, before = ''): PageTemplate {
  return PageTemplate.parse(`${before}${renderToStaticMarkup(element)}`);
}

/** Objects that do not change, and are one where they say the same: each has a number in the place of a long key. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function numberObject(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}
