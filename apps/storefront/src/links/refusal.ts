import { ApiError } from '#nest';
import { Fault } from '#platform';
import type { RefusalReason } from '../languages/checkout-texts.js';

/** Reasons that the page shows anyway, since they follow from the state of the link. */
const SHOWN_BY_STATE: ReadonlySet<string> = new Set([
  'CHECKOUT_LINK_EXPIRED',
  'CHECKOUT_LINK_LOCKED',
  'CHECKOUT_LINK_NOT_FOUND',
  'CHECKOUT_LINK_PAUSED',
  'GATEWAY_NOT_CONFIGURED',
  'PAYMENT_DECLINED',
  'TOO_MANY_UNKNOWN_LINKS',
]);

/** Reasons that the page of a plan's link explains in a sentence of its own. */
const EXPLAINED: ReadonlySet<string> = new Set<RefusalReason>([
  'AMOUNT_CHANGED',
  'PLAN_ALREADY_HELD',
  'PLAN_NOT_AVAILABLE',
  'TRIAL_ALREADY_TAKEN',
]);

/** The page's explanation of a click that made no attempt, by the reason of its refusal. */
export function explainRefusal(reason: string): RefusalReason | undefined {
  if (reason === '' || SHOWN_BY_STATE.has(reason)) return undefined;
  return isExplained(reason) ? reason : 'other';
}

function isExplained(reason: string): reason is RefusalReason {
  return EXPLAINED.has(reason);
}

/**
 * Refusals that the page of an order can explain beside those: the shop has only so many for a player (rules/webshop
 * 5).
 */
export type OrderRefusal = RefusalReason | 'QUANTITY_EXCEEDED' | 'ITEM_UNAVAILABLE';

export function explainOrderRefusal(reason: string): OrderRefusal | undefined {
  const isOfShop = reason === 'QUANTITY_EXCEEDED' || reason === 'ITEM_UNAVAILABLE';
  return isOfShop ? reason : explainRefusal(reason);
}

/** @throws the error itself where it is neither a refusal nor a part that is out of reach. */
export function readRefusalReason(error: unknown): string {
  if (error instanceof ApiError) return error.reason;
  if (error instanceof Fault) return 'UNAVAILABLE';
  throw error;
}
