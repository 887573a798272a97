import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ApiError } from '#nest/errors';
import { Fault } from '#platform';
import { listBrandSources } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import { BankPage, type BankPageProps } from './bank-page.js';
import { CheckoutPage, type CheckoutPageProps } from './checkout-page.js';
import { CatalogFailedPage, type CatalogFailedPageProps } from './catalog-failed-page.js';
import { OrderPage, type OrderPageProps } from './order-page.js';
import { type Notice, type NoticeFrame, NoticePage, NOTICES } from './notice-page.js';

/** React renders elements only. */
export const DOCTYPE = '<!doctype html>';

/** HTML that may be sent as it is: React has escaped all texts in it. */
export interface RenderedPage {
  /** Of HTTP. */
  readonly status: number;
  readonly html: string;
  /** Another site that a form of the page leads to, if there is one. */
  readonly leadsTo?: string | undefined;
  /** Where its pictures come from, as a policy of browsers names it. */
  readonly imagesFrom?: readonly string[];
}

/** The page of a link, rendered once for a browser that runs no React (decision 0037). */
export function renderCheckoutPage(props: CheckoutPageProps): RenderedPage {
  const html = DOCTYPE + renderToStaticMarkup(<CheckoutPage {...props} />);
  return { status: 200, html, leadsTo: props.cardsAt, imagesFrom: listBrandSources(props.brand) };
}

/** The page of an order. @param imagesFrom of its items, and of its brand. */
export function renderOrderPage({
  imagesFrom,
  ...props
}: OrderPageProps & { readonly imagesFrom: readonly string[] }): RenderedPage {
  const html = DOCTYPE + renderToStaticMarkup(<OrderPage {...props} />);
  return { status: 200, html, leadsTo: props.cardsAt, imagesFrom };
}

/** The page of the sandbox's bank. */
export function renderBankPage(props: BankPageProps): RenderedPage {
  const html = DOCTYPE + renderToStaticMarkup(<BankPage {...props} />);
  return { status: 200, html, imagesFrom: listBrandSources(props.brand) };
}

/** A page for a player who gets to see no offer. */
export function renderNotice(
  notice: Notice,
  locale: PageLocale,
  frame: NoticeFrame = {},
): RenderedPage {
  const page = <NoticePage notice={notice} locale={locale} {...frame} />;
  return { status: NOTICES[notice].status, ...renderInFrame(page, frame) };
}

/** The notice of an error for a player. @throws the error itself where a player can do nothing about it. */
export function noticeFor(error: unknown): Notice {
  if (error instanceof ApiError && error.status === 'NOT_FOUND') return 'missing';
  if (error instanceof ApiError && error.status === 'RESOURCE_EXHAUSTED') return 'unavailable';
  if (error instanceof Fault && error.code === 'unavailable') return 'unavailable';
  throw error;
}

/** The page in the place of the shop, where its catalog did not come. */
export function renderCatalogFailure(props: CatalogFailedPageProps): RenderedPage {
  return { status: 502, ...renderInFrame(<CatalogFailedPage {...props} />, props) };
}

function renderInFrame(page: ReactElement, { brand }: NoticeFrame) {
  const imagesFrom = brand === undefined ? [] : listBrandSources(brand);
  return { html: DOCTYPE + renderToStaticMarkup(page), imagesFrom };
}
