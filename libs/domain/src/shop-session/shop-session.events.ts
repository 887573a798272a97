import type { DomainEvent, Instant } from '../event/index.js';
import type { PersonalTexts } from '../personal-data/index.js';

/** A link into the webshop was made for a player: it opens one session, once (rules/webshop 1). */
export type ShopSessionLinked = DomainEvent<
  'shop_session.linked.v1',
  {
    readonly sessionId: string;
    readonly appId: string;
    /** The player's pseudonym (rules/storage 6). */
    readonly player: string;
    /** The registration of the player that it is for: another one is behind an erasure (decision 0034). */
    readonly registration: string;
    /** The language of the pages as a tag of BCP 47; empty where the browser decides. */
    readonly language: string;
    readonly regionCode: string;
    readonly personal: PersonalTexts;
    readonly linkedAt: Instant;
    /** On the wall clock, also in an app with a test clock. */
    readonly linkExpiresAt: Instant;
  }
>;
/** The link was used, and is of no more use. */
export type ShopSessionOpened = DomainEvent<
  'shop_session.opened.v1',
  {
    readonly sessionId: string;
    readonly openedAt: Instant;
    /** On the wall clock. */
    readonly expiresAt: Instant;
  }
>;
/** The player has signed out. */
export type ShopSessionEnded = DomainEvent<
  'shop_session.ended.v1',
  { readonly sessionId: string; readonly endedAt: Instant }
>;

export type ShopSessionEvent = ShopSessionLinked | ShopSessionOpened | ShopSessionEnded;
