import type { ReactNode } from 'react';
import type { PageLocale } from '../../languages/page-locale.js';
import type { PageBrand } from '../../brand/page-brand.js';
import { Button } from '../../pages/parts.js';
import { PageDocument, StatusNote } from '../../pages/page-document.js';
import { SessionToken } from './shop-form.js';

/** The frame of every page of the shop. */
export interface ShopFrame {
  readonly locale: PageLocale;
  /** Of whom the shop is. */
  readonly brand: PageBrand;
  /** How many pieces lie in the cart. */
  readonly cartQuantity: number;
  /** Why the last click changed nothing, as an error names it; empty where nothing is known. */
  readonly refusal?: string;
}

/** A page of the shop: its head leads everywhere, by links and forms that take no script. */
export function ShopLayout({
  title,
  children,
  ...frame
}: ShopFrame & { title: string; children: ReactNode }) {
  const { locale, brand, refusal = '' } = frame;
  return (
    <PageDocument
      locale={locale}
      state="shop"
      title={title}
      brand={brand}
      navigation={<ShopNavigation {...frame} />}
      layout="wide"
      script="shop"
    >
      <h1>{title}</h1>
      <StatusNote text={explainRefusal(refusal, locale)} kind="bad" />
      {children}
    </PageDocument>
  );
}

/** The links in the head of a page of the shop. */
export function ShopNavigation({
  locale,
  cartQuantity: count,
}: Pick<ShopFrame, 'locale' | 'cartQuantity'>) {
  const { shop } = locale.texts;
  return (
    <nav className="shop-nav">
      <a href="/shop">{shop.title}</a>
      <a href="/shop/cart?from=button">{count === 0 ? shop.cart : shop.cartOf({ count })}</a>
      <a href="/shop/orders">{shop.orders}</a>
      <form method="post" action="/shop/sign-out">
        <SessionToken />
        <Button kind="quiet">{shop.signOut}</Button>
      </form>
    </nav>
  );
}

/** A reason that has no words of its own is shown as a change that was not made. */
function explainRefusal(reason: string, { texts: { shopRefusals } }: PageLocale): string {
  if (reason === '') return '';
  return isExplained(reason, shopRefusals) ? shopRefusals[reason] : shopRefusals.other;
}

function isExplained<Known extends object>(
  reason: string,
  known: Known,
): reason is Extract<keyof Known, string> {
  return Object.hasOwn(known, reason);
}
