import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { listBrandSources, type PageBrand } from '../../brand/page-brand.js';
import type { PageLocale } from '../../languages/page-locale.js';
import type { CatalogFailedPageProps } from '../../pages/catalog-failed-page.js';
import {
  DOCTYPE,
  type Notice,
  renderCatalogFailure,
  type RenderedPage,
  renderNotice,
} from '../../pages/render-page.js';
import type { EntranceView } from '../session/show-entrance.js';
import { CartPage, type CartPageProps } from './cart-page.js';
import { EntrancePage } from './entrance-page.js';
import { ItemPage, type ItemPageProps } from './item-page.js';
import { OrdersPage, type OrdersPageProps } from './orders-page.js';
import { PageTemplate } from './page-template.js';
import { ShopNavigation } from './shop-layout.js';
import type { ShopPageProps } from './shop-page.js';
import { renderShelves } from './shop-shelves.js';

/** For whom a page is, and where its pictures come from, those of its brand among them. */
interface Shown {
  readonly visitor: { readonly appId: string; readonly csrf: string };
  readonly imagesFrom: readonly string[];
}

export function renderShopPage({ imagesFrom, visitor, ...props }: ShopPageProps & Shown) {
  return finish(renderShelves(props, visitor), imagesFrom);
}

export function renderItemPage({ imagesFrom, visitor, ...props }: ItemPageProps & Shown) {
  return finish(render(<ItemPage {...props} />, visitor), imagesFrom);
}

export function renderCartPage({ imagesFrom, visitor, ...props }: CartPageProps & Shown) {
  return finish(render(<CartPage {...props} />, visitor), imagesFrom);
}

export function renderOrdersPage({ imagesFrom, visitor, ...props }: OrdersPageProps & Shown) {
  return finish(render(<OrdersPage {...props} />, visitor), imagesFrom);
}

/** The page of a link into the shop: there is no session yet, whose forms could carry its token. */
export function renderEntrancePage(props: EntranceView): RenderedPage {
  const html = DOCTYPE + renderToStaticMarkup(<EntrancePage {...props} />);
  return { status: 200, html, imagesFrom: listBrandSources(props.brand) };
}

/** A player who is in a shop, as its error pages know it. */
interface ShopSession {
  readonly locale: PageLocale;
  readonly visitor: { readonly csrf: string };
  readonly brand: PageBrand;
}

/** In the place of a page of the shop: its head leads on to those that there are. */
export function renderShopNotice(notice: Notice, session: ShopSession): RenderedPage<Buffer> {
  return fill(renderNotice(notice, session.locale, frame(session)), session);
}

/** In the place of a page of the shop, where its catalog did not come. */
export function renderShopFailure(
  failure: Pick<CatalogFailedPageProps, 'reference' | 'retryAt'>,
  session: ShopSession,
): RenderedPage<Buffer> {
  const { locale } = session;
  return fill(renderCatalogFailure({ ...failure, locale, ...frame(session) }), session);
}

/** What lies in the cart is not known there. */
function frame({ locale, brand }: ShopSession) {
  return { brand, navigation: <ShopNavigation locale={locale} cartQuantity={0} /> };
}

function fill({ html, ...page }: RenderedPage, { visitor }: ShopSession): RenderedPage<Buffer> {
  return { ...page, html: PageTemplate.parse(html).fill(visitor.csrf) };
}

function render(page: ReactElement, { csrf }: Shown['visitor']): Buffer {
  return PageTemplate.parse(`${DOCTYPE}${renderToStaticMarkup(page)}`).fill(csrf);
}

function finish(html: Buffer, imagesFrom: readonly string[]): RenderedPage<Buffer> {
  return { status: 200, html, imagesFrom };
}
