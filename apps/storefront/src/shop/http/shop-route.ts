import type { FastifyContextConfig } from 'fastify';
import { TAKES_FORMS } from '../../http/form-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where a browser is led whose change was refused: to the cart, the shop, or the page of the item it was about. */
    readonly refusedAt?: 'cart' | 'item' | 'shop';
  }
}

/** Something to look at: it holds the token of the session's forms. */
export const LOOK = {
  isForVisitors: true,
  holdsCredential: true,
} as const satisfies FastifyContextConfig;

/** A form of the shop, or the same as JSON; it has few fields. */
export const CHANGE = {
  ...TAKES_FORMS,
  isForVisitors: true,
  maxValues: 200,
} as const satisfies FastifyContextConfig;
export const CHANGE_OF_CART = { ...CHANGE, refusedAt: 'cart' } as const;
export const CHANGE_OF_ITEM = { ...CHANGE, refusedAt: 'item' } as const;
export const CHANGE_OF_SHOP = { ...CHANGE, refusedAt: 'shop' } as const;
