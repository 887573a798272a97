import type { Aggregate } from '../decider/index.js';
import { type ShopCommand, shopDecider, type ShopRejection } from './shop.decide.js';
import type { ShopEvent } from './shop.events.js';
import type { Shop } from './shop.state.js';

export type { LimitedCount, ShopCommand, ShopRejection } from './shop.decide.js';
export type { ShopEvent } from './shop.events.js';
export { countClaimsLeft, type CountedAt, countLeft } from './shop.limits.js';
export {
  findCatalogLanguage,
  isLastOfCart,
  isRecent,
  type OpenCart,
  type Shop,
} from './shop.state.js';

/** One stream for each player, named by the pseudonym (decision 0034). */
export const shopAggregate: Aggregate<Shop, ShopCommand, ShopEvent, ShopRejection> = {
  category: 'shop',
  decider: shopDecider,
};
