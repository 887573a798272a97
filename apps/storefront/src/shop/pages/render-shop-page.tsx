import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { listBrandSources, type PageBrand } from '../../brand/page-brand.js';
import type { PageLocale } from '../../languages/page-locale.js';
import type { CatalogFailedPageProps } from '../../pages/catalog-failed-page.js';
import type { Notice } from '../../pages/notice-page.js';
import {
  DOCTYPE,
  renderCatalogFailure,
  type RenderedPage,
  renderNotice,
} from '../../pages/render-page.js';
import type { EntranceView } from '../session/show-entrance.js';
import { CartPage, type CartPageProps } from './cart-page.js';
import { EntrancePage } from './entrance-page.js';
import { ItemPage, type ItemPageProps } from './item-page.js';
import { OrdersPage, type OrdersPageProps } from './orders-page.js';
import { CsrfToken } from './shop-form.js';
import { ShopNavigation } from './shop-layout.js';
import { ShopPage, type ShopPageProps } from './shop-page.js';

/** For whom a page is, and where its pictures come from, those of its brand among them. */
interface Shown {
  readonly visitor: { readonly csrf: string };
  readonly imagesFrom: readonly string[];
}

export function renderShopPage({ imagesFrom, visitor, ...props }: ShopPageProps & Shown) {
  return render(<ShopPage {...props} />, { imagesFrom, visitor });
}

export function renderItemPage({ imagesFrom, visitor, ...props }: ItemPageProps & Shown) {
  return render(<ItemPage {...props} />, { imagesFrom, visitor });
}

export function renderCartPage({ imagesFrom, visitor, ...props }: CartPageProps & Shown) {
  return render(<CartPage {...props} />, { imagesFrom, visitor });
}

export function renderOrdersPage({ imagesFrom, visitor, ...props }: OrdersPageProps & Shown) {
  return render(<OrdersPage {...props} />, { imagesFrom, visitor });
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
export function renderShopNotice(notice: Notice, session: ShopSession): RenderedPage {
  return renderNotice(notice, session.locale, frame(session));
}

/** In the place of a page of the shop, where its catalog did not come. */
export function renderShopFailure(
  failure: Pick<CatalogFailedPageProps, 'reference' | 'retryAt'>,
  session: ShopSession,
): RenderedPage {
  const { locale } = session;
  return renderCatalogFailure({ ...failure, locale, ...frame(session) });
}

/** The number of pieces in the cart is not known there. */
function frame({ locale, brand, visitor }: ShopSession) {
  const navigation = (
    <CsrfToken value={visitor.csrf}>
      <ShopNavigation locale={locale} cartQuantity={0} />
    </CsrfToken>
  );
  return { brand, navigation };
}

function render(page: ReactElement, { visitor, imagesFrom }: Shown): RenderedPage {
  const html = renderToStaticMarkup(<CsrfToken value={visitor.csrf}>{page}</CsrfToken>);
  return { status: 200, html: DOCTYPE + html, imagesFrom };
}
