import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { listBrandSources, type PageBrand } from '../../brand/page-brand.js';
import type { RenderedPage } from '../../pages/render-page.js';
import { CartPage, type CartPageProps } from './cart-page.js';
import { ItemPage, type ItemPageProps } from './item-page.js';
import { OrdersPage, type OrdersPageProps } from './orders-page.js';
import { ShopPage, type ShopPageProps } from './shop-page.js';

/** Where the pictures of a page come from. */
interface Pictures {
  readonly imagesFrom: readonly string[];
}

export function renderShopPage({ imagesFrom, ...props }: ShopPageProps & Pictures): RenderedPage {
  return render(<ShopPage {...props} />, props.brand, imagesFrom);
}

export function renderItemPage({ imagesFrom, ...props }: ItemPageProps & Pictures): RenderedPage {
  return render(<ItemPage {...props} />, props.brand, imagesFrom);
}

export function renderCartPage({ imagesFrom, ...props }: CartPageProps & Pictures): RenderedPage {
  return render(<CartPage {...props} />, props.brand, imagesFrom);
}

export function renderOrdersPage({
  imagesFrom,
  ...props
}: OrdersPageProps & Pictures): RenderedPage {
  return render(<OrdersPage {...props} />, props.brand, imagesFrom);
}

function render(page: ReactElement, brand: PageBrand, pictures: readonly string[]): RenderedPage {
  const html = `<!doctype html>${renderToStaticMarkup(page)}`;
  return { status: 200, html, imagesFrom: [...new Set([...pictures, ...listBrandSources(brand)])] };
}
