import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Campaign } from '../loyalty-program/index.js';
import type { LoyaltyEvent, OrderRecorded } from './loyalty.events.js';
import { findMilestoneStates } from './loyalty.progress.js';
import { evolveLoyalty, type Loyalty, newLoyalty } from './loyalty.state.js';

export type LoyaltyCommand =
  /** An order was paid, or some of it was refunded: its present amount. */
  | {
      readonly kind: 'RecordOrder';
      readonly order: Omit<OrderRecorded['data'], 'recordedAt'>;
      readonly now: Instant;
    }
  | {
      readonly kind: 'ClaimMilestone';
      /** As it is now. */
      readonly campaign: Campaign;
      readonly milestoneId: string;
      readonly now: Instant;
    };

export interface LoyaltyRejection extends AnyRejection {
  readonly code: 'loyalty/milestone_locked' | 'loyalty/milestone_not_found';
}

type LoyaltyDecision = Decision<LoyaltyEvent, LoyaltyRejection>;
type RecordOrder = Extract<LoyaltyCommand, { kind: 'RecordOrder' }>;
type ClaimMilestone = Extract<LoyaltyCommand, { kind: 'ClaimMilestone' }>;

/** Decides for one player, where orders and claims are in an order (rules/loyalty 2 and 3). */
function decideLoyalty(command: LoyaltyCommand, state: Loyalty): LoyaltyDecision {
  switch (command.kind) {
    case 'RecordOrder':
      return recordOrder(command, state);
    case 'ClaimMilestone':
      return claimMilestone(command, state);
  }
}

/** An event of the order that is worked on again says nothing new, also where later ones were recorded. */
function recordOrder({ order, now }: RecordOrder, state: Loyalty): LoyaltyDecision {
  const known = state.orders.get(order.orderId);
  if (known !== undefined && known.orderRevision >= order.orderRevision) return accept();
  if (known?.spent.amountMinor === order.spent.amountMinor) return accept();
  return accept({ type: 'loyalty.order_recorded.v1', data: { ...order, recordedAt: now } });
}

/** A reached milestone can be claimed after the end of its campaign, too; a second claim changes nothing. */
function claimMilestone(
  { campaign, milestoneId, now }: ClaimMilestone,
  state: Loyalty,
): LoyaltyDecision {
  const milestone = campaign.milestones.find(({ id }) => id === milestoneId);
  if (milestone === undefined) return reject('loyalty/milestone_not_found', milestoneId);
  const milestoneState = findMilestoneStates(state, campaign).get(milestoneId);
  if (milestoneState === 'claimed') return accept();
  if (milestoneState !== 'open') return reject('loyalty/milestone_locked', milestoneId);
  const { campaignId, delivery } = campaign;
  const claimed = { campaignId, milestoneId, rewards: milestone.rewards, claimedAt: now };
  const isSent = delivery === 'async_webhook';
  return accept({ type: 'loyalty.milestone_claimed.v1', data: { ...claimed, isSent } });
}

/** One stream for each player, named by the pseudonym (decision 0036). */
export const loyaltyAggregate = defineAggregate('loyalty', {
  initialState: newLoyalty,
  evolve: evolveLoyalty,
  decide: decideLoyalty,
});
