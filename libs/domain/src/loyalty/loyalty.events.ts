import type { DomainEvent, Instant } from '../event/index.js';
import type { Reward } from '../loyalty-program/index.js';
import type { Money } from '../money/index.js';

/** The present amount of a paid order: the newest of an order counts (rules/loyalty 2). */
export type OrderRecorded = DomainEvent<
  'loyalty.order_recorded.v1',
  {
    readonly orderId: string;
    /** Of the order's event after which it has come to this. */
    readonly orderRevision: number;
    /** Without tax and refunds; never below 0. */
    readonly spent: Money;
    readonly paidAt: Instant;
    readonly recordedAt: Instant;
  }
>;
/** A milestone is claimed once by a player, and stays claimed (rules/loyalty 3). */
export type MilestoneClaimed = DomainEvent<
  'loyalty.milestone_claimed.v1',
  {
    readonly campaignId: string;
    readonly milestoneId: string;
    /** As they were when it was claimed. */
    readonly rewards: readonly Reward[];
    /** Whether the studio's backend is sent a message. */
    readonly isSent: boolean;
    readonly claimedAt: Instant;
  }
>;
export type LoyaltyEvent = MilestoneClaimed | OrderRecorded;
