import type { EventMetadata } from '../event/index.js';

/** Carts of earlier releases were opened when the app's clock said so: of an app without a test clock that is the same. */
function addWallTime(data: unknown, { occurredAt }: Pick<EventMetadata, 'occurredAt'>): unknown {
  // Golden files hold the stored form.
  return { ...(data as object), wallOpenedAt: occurredAt };
}

/** Orders of earlier releases do not say in which language their catalog was. */
function addCatalogLanguage(data: unknown): unknown {
  return { ...(data as object), catalogLanguage: '' };
}

/**
 * From carts that know the app's clock alone to such that know the wall clock, too (decision 0157), and to orders that
 * know the language of their catalog (decision 0158).
 */
export const SHOP_UPCASTERS = [
  { from: 'shop.cart_opened.v1', to: 'shop.cart_opened.v2', upcast: addWallTime },
  { from: 'shop.order_begun.v1', to: 'shop.order_begun.v2', upcast: addCatalogLanguage },
];
