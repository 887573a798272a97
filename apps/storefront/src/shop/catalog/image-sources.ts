import type { CreatedApp } from '#domain/app';
import { listBrandSources } from '../../brand/page-brand.js';

type App = Pick<CreatedApp, 'brand' | 'environment' | 'catalog'>;

/**
 * Where a page of the shop may load pictures from: any server by https, the one of the brand, and in a test app the one
 * that the catalog comes from, which may be the developer's own machine (rules/webshop 3).
 */
export function listImageSources({ brand, environment, catalog }: App): readonly string[] {
  const ofCatalog =
    environment === 'test' && catalog !== null ? [new URL(catalog.baseUrl).origin] : [];
  return [...new Set(['https:', ...ofCatalog, ...listBrandSources(brand ?? {})])];
}

/**
 * The same for the page of an order: its pictures are where the studio's backend said when it was made, in a test app
 * also on the developer's own machine in the clear (rules/orders 1).
 */
export function listOrderImageSources(
  app: App,
  items: readonly { readonly image: string }[],
): readonly string[] {
  const ofShop = listImageSources(app);
  const pictures = items.flatMap(({ image }) => (image === '' ? [] : new URL(image)));
  const plain = pictures.filter(({ protocol }) => protocol === 'http:');
  return plain.length === 0
    ? ofShop
    : [...new Set([...ofShop, ...plain.map(({ origin }) => origin)])];
}
