import type { Aggregate } from '../decider/index.js';
import {
  type ShopSessionCommand,
  shopSessionDecider,
  type ShopSessionRejection,
} from './shop-session.decide.js';
import type { ShopSessionEvent } from './shop-session.events.js';
import type { ShopSessions } from './shop-session.state.js';

export {
  SHOP_LINK_LIFETIME_MS,
  SHOP_SESSION_HOURS,
  type ShopSessionCommand,
  type ShopSessionRejection,
} from './shop-session.decide.js';
export type { ShopSessionEvent } from './shop-session.events.js';
export {
  canBeOpened,
  findSession,
  isOpen,
  type ShopSession,
  type ShopSessions,
} from './shop-session.state.js';

/** One stream for each player, named by the pseudonym; its events are kept for a week (decision 0034). */
export const shopSessionAggregate: Aggregate<
  ShopSessions,
  ShopSessionCommand,
  ShopSessionEvent,
  ShopSessionRejection
> = { category: 'shop_session', decider: shopSessionDecider };
