import { unknownEvent } from '../decider/index.js';
import type { LoyaltyEvent, OrderRecorded } from './loyalty.events.js';

type RecordedOrder = Pick<OrderRecorded['data'], 'orderRevision' | 'spent' | 'paidAt'>;

/** The paid orders and claimed milestones of a player, in all campaigns. */
export interface Loyalty {
  /** By their ids. */
  readonly orders: ReadonlyMap<string, RecordedOrder>;
  /** By campaign and milestone. */
  readonly claimed: ReadonlySet<string>;
  /** How many messages its events have given (rules/webhooks 5). */
  readonly messageCount: number;
}

export const newLoyalty: Loyalty = { orders: new Map(), claimed: new Set(), messageCount: 0 };

/** Folds one event of a player's loyalty. */
export function evolveLoyalty(state: Loyalty, event: LoyaltyEvent): Loyalty {
  switch (event.type) {
    case 'loyalty.order_recorded.v1': {
      const { orderId, orderRevision, spent, paidAt } = event.data;
      const orders = new Map(state.orders).set(orderId, { orderRevision, spent, paidAt });
      return { ...state, orders };
    }
    case 'loyalty.milestone_claimed.v1': {
      const { campaignId, milestoneId, isSent } = event.data;
      const claimed = new Set(state.claimed).add(claimKey(campaignId, milestoneId));
      return { ...state, claimed, messageCount: state.messageCount + (isSent ? 1 : 0) };
    }
    default:
      return unknownEvent(state, event);
  }
}

/** Whether the player has had the rewards of a milestone. */
export function isClaimed({ claimed }: Loyalty, campaignId: string, milestoneId: string): boolean {
  return claimed.has(claimKey(campaignId, milestoneId));
}

/** Neither id has a slash. */
function claimKey(campaignId: string, milestoneId: string): string {
  return `${campaignId}/${milestoneId}`;
}
