import type { DomainEvent, Instant } from '../event/index.js';

/**
 * Views of a player in the webshop: statistics for the studio, of which nothing follows. They are kept for a week in a
 * stream of the player's, and each is one message (rules/webshop 7, decision 0034).
 */
export const ACTIVITY_CATEGORY = 'activity';

interface Seen {
  /** `DE` or `US-NY`; empty where it is not known. */
  readonly regionCode: string;
  readonly seenAt: Instant;
}

export type ItemViewed = DomainEvent<'activity.item_viewed.v1', Seen & { readonly itemId: string }>;
export type ItemPageViewed = DomainEvent<
  'activity.item_page_viewed.v1',
  Seen & { readonly itemId: string }
>;
export type CheckoutPageViewed = DomainEvent<'activity.checkout_page_viewed.v1', Seen>;
export type CartButtonClicked = DomainEvent<'activity.cart_button_clicked.v1', Seen>;

export type ActivityEvent = ItemViewed | ItemPageViewed | CheckoutPageViewed | CartButtonClicked;
