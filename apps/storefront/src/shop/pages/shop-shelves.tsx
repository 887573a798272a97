/**
 * The page of the shop, put together of parts that are the same on most pages: what is around the rows, each row, and each
 * item. Rendering 40 items was a fifth of a page, and most players of a studio are shown the same ones.
 */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { CatalogItem } from '#domain/catalog';
import type { PageLocale } from '../../languages/page-locale.js';
import type { OfferedItem } from '../browse/show-shop.js';
import { isSoldOut } from './item-controls.js';
import { KeptTemplates } from './kept-templates.js';
import { PageTemplate } from './page-template.js';
import { isEmpty, ShopItem, ShopPage, type ShopPageProps, ShopRow } from './shop-page.js';

const kept = new KeptTemplates();

/** The HTML of the page, all but its doctype. */
export function renderShelves(
  props: ShopPageProps,
  { appId, csrf }: { readonly appId: string; readonly csrf: string },
): string {
  const { rows, locale } = props;
  let shelves = '';
  for (const { header, items } of rows) {
    let row = '';
    for (const offered of items) row += findItem(appId, offered, locale).fill(csrf);
    shelves += findRow(appId, header).fill(csrf, row);
  }
  return findFrame(appId, props).fill(csrf, shelves);
}

function findItem(appId: string, offered: OfferedItem, locale: PageLocale): PageTemplate {
  const key = `item ${numberItem(offered.item)} ${isSoldOut(offered)} ${nameLocale(locale)}`;
  return kept.find(appId, key, () => render(<ShopItem locale={locale} offered={offered} />));
}

function findRow(appId: string, header: string | null): PageTemplate {
  const key = `row ${header === null ? '' : `of ${header}`}`;
  return kept.find(appId, key, () => render(<ShopRow header={header} />));
}

/** What many players see around the rows; points and refusals are few players' own. */
function findFrame(appId: string, props: ShopPageProps): PageTemplate {
  const { locale, brand, cartQuantity, refusal = '', loyalty, rows } = props;
  const make = () => render(<ShopPage {...props} />);
  if (refusal !== '' || loyalty.length > 0) return make();
  const key = JSON.stringify(['frame', nameLocale(locale), brand, cartQuantity, isEmpty(rows)]);
  return kept.find(appId, key, make);
}

/** What a locale's texts and prices depend on. */
function nameLocale({ language, format }: PageLocale): string {
  return `${language} ${format}`;
}

function render(element: ReactElement): PageTemplate {
  return new PageTemplate(renderToStaticMarkup(element));
}

/** Items are frozen, and those that say the same are mostly one: each has a number in the place of a long key. */
const numbers = new WeakMap<CatalogItem, number>();
let lastNumber = 0;

function numberItem(item: CatalogItem): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(item, lastNumber);
  return lastNumber;
}
