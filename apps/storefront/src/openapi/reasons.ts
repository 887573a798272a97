import type { Reason } from '#openapi/document';

/** The storefront's own reasons, which no rejection has. */
export const REASONS: Readonly<Record<string, Reason>> = {
  CART_CHANGED: {
    status: 'FAILED_PRECONDITION',
    message:
      'The catalog has changed since: each item is named. The next checkout takes the cart as it is shown now.',
  },
  CART_EMPTY: { status: 'FAILED_PRECONDITION', message: 'The cart is empty.' },
  CATALOG_UNAVAILABLE: {
    status: 'UNAVAILABLE',
    http: 502,
    message:
      "The studio's catalog does not answer as it should; the operator finds out why by the reference.",
  },
  FORM_NOT_OF_SESSION: {
    status: 'PERMISSION_DENIED',
    message: 'The field csrf is not that of this session.',
  },
  ITEM_UNAVAILABLE: {
    status: 'FAILED_PRECONDITION',
    message: 'The catalog has no such item, or it is no longer for sale, or not so.',
  },
  NO_SESSION: {
    status: 'UNAUTHENTICATED',
    message: 'There is no session of the shop, or none any more. Open the shop from the game.',
  },
  PAYMENT_DECLINED: {
    status: 'FAILED_PRECONDITION',
    message: 'The payment was declined. Try another payment method.',
  },
  TOO_MANY_REQUESTS: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'That were too many changes in a minute. Try again in a moment.',
  },
  TOO_MANY_UNKNOWN_LINKS: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many links were asked for that are not there. Try again later.',
  },
};
