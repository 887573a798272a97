import { CHECKOUT_TEXTS } from './checkout-texts.js';
import type { Messages, Texts } from './message-types.js';
import { SHOP_TEXTS } from './shop-texts.js';

/** All texts of pages, and the arguments of each message: the names that every language writes. */
export const CATALOGUE = { ...CHECKOUT_TEXTS, ...SHOP_TEXTS } as const;

/** All messages of a language, as its file writes them. */
export type CatalogueMessages = Messages<typeof CATALOGUE>;

/** All that pages say, in one language. Every text is plain: React escapes it. */
export type Catalogue = Texts<typeof CATALOGUE>;
