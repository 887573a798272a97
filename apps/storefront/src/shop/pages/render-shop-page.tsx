import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { DOCTYPE, type RenderedPage } from '../../pages/render-page.js';
import { CartPage, type CartPageProps } from './cart-page.js';
import { ItemPage, type ItemPageProps } from './item-page.js';
import { OrdersPage, type OrdersPageProps } from './orders-page.js';
import { PageTemplate } from './page-template.js';
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

function render(page: ReactElement, { csrf }: Shown['visitor']): Buffer {
  return PageTemplate.parse(`${DOCTYPE}${renderToStaticMarkup(page)}`).fill(csrf);
}

function finish(html: Buffer, imagesFrom: readonly string[]): RenderedPage<Buffer> {
  return { status: 200, html, imagesFrom };
}
