import type { CheckoutLinkCommand } from '../checkout-link/index.js';
import type { Instant } from '../event/index.js';
import type { LoyaltyCommand } from '../loyalty/index.js';
import type { OrderCommand } from '../order/index.js';
import type { ChargeRequest, PaymentCommand } from '../payment/index.js';
import type { PlayerPlansCommand } from '../player-plans/index.js';
import type { SubscriptionCommand } from '../subscription/index.js';

/** When a charge without an outcome is given up (rules/payments 17), by the app's clock or by the wall's. */
export interface ChargeBound {
  readonly clock: 'app' | 'wall';
  readonly at: Instant;
}

/**
 * A step that a process wants after an event: a charge or a refund at the gateway (slow, and outside of us, so it
 * becomes a job), or a command for the one command executor. Each is harmless when done twice, since events arrive at
 * least once.
 */
export type ProcessStep =
  | { readonly kind: 'charge'; readonly charge: ChargeRequest; readonly bound: ChargeBound }
  | { readonly kind: 'refund'; readonly paymentId: string; readonly refundId: string }
  | {
      readonly kind: 'subscription';
      readonly id: string;
      readonly command: SubscriptionCommand;
      /**
       * The command's id, where the domain itself does not tell a repetition: the stream remembers
       * it, and the command is done once.
       */
      readonly commandId?: string;
    }
  | {
      readonly kind: 'order';
      readonly id: string;
      readonly command: OrderCommand;
      /** As of a subscription's command. */
      readonly commandId?: string;
    }
  /** Its id is the player's pseudonym. */
  | { readonly kind: 'loyalty'; readonly id: string; readonly command: LoyaltyCommand }
  | {
      readonly kind: 'player_plans';
      /** The player's pseudonym. */
      readonly id: string;
      readonly command: PlayerPlansCommand;
      /** As of a subscription's command. */
      readonly commandId?: string;
    }
  | { readonly kind: 'payment'; readonly id: string; readonly command: PaymentCommand }
  | { readonly kind: 'checkout_link'; readonly id: string; readonly command: CheckoutLinkCommand };
