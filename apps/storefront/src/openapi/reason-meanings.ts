/** What the storefront's own reasons mean, which the table of rejections does not have. */
export const REASON_MEANINGS: Readonly<Record<string, string>> = {
  CART_CHANGED:
    'The catalog has changed since: each item is named. The next checkout takes the cart as it is shown now.',
  CART_EMPTY: 'The cart is empty.',
  CATALOG_UNAVAILABLE:
    "The studio's catalog does not answer as it should; the operator finds out why by the reference.",
  FORM_NOT_OF_SESSION: 'The field csrf is not that of this session.',
  ITEM_UNAVAILABLE: 'The catalog has no such item, or it is no longer for sale, or not so.',
  NO_SESSION: 'There is no session of the shop, or none any more. Open the shop from the game.',
  PAYMENT_DECLINED: 'The payment was declined. Try another payment method.',
  QUANTITY_EXCEEDED: 'That is more of the item than the player can buy.',
  TOO_MANY_REQUESTS: 'That were too many changes in a minute. Try again in a moment.',
  TOO_MANY_UNKNOWN_LINKS: 'Too many links were asked for that are not there. Try again later.',
};
