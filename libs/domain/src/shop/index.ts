export {
  type LimitedCount,
  shopAggregate,
  type ShopCommand,
  type ShopRejection,
} from './shop.decide.js';
export type { ShopEvent } from './shop.events.js';
export { countClaimsLeft, type CountedAt, countLeft } from './shop.limits.js';
export {
  findCatalogLanguage,
  isLastOfCart,
  isRecent,
  type OpenCart,
  type Shop,
} from './shop.state.js';
