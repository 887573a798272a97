export {
  SHOP_LINK_LIFETIME_MS,
  SHOP_SESSION_HOURS,
  shopSessionAggregate,
  type ShopSessionCommand,
  type ShopSessionRejection,
} from './shop-session.decide.js';
export type { ShopSessionEvent } from './shop-session.events.js';
export { canBeOpened, findSession, isOpen, type ShopSession } from './shop-session.state.js';
