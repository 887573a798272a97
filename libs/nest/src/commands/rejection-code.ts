import type { AppRejection } from '#domain/app';
import type { CartRejection } from '#domain/cart';
import type { CheckoutLinkRejection } from '#domain/checkout-link';
import type { FinanceRejection } from '#domain/finance';
import type { LoyaltyRejection } from '#domain/loyalty';
import type { LoyaltyProgramRejection } from '#domain/loyalty-program';
import type { OperatorTokenRejection } from '#domain/operator-tokens';
import type { OrderRejection } from '#domain/order';
import type { PaymentRejection } from '#domain/payment';
import type { PlanCodeRejection, PlanRejection } from '#domain/plan';
import type { PlayerPlansRejection } from '#domain/player-plans';
import type { ExplainRejection, PriceSheetRejection } from '#domain/price-sheet';
import type { TaxRatesRejection } from '#domain/pricing';
import type { ProjectionRejection } from '#domain/projection';
import type { ShopRejection } from '#domain/shop';
import type { ShopSessionRejection } from '#domain/shop-session';
import type { SubscriptionRejection } from '#domain/subscription';
import type { TestClockRejection } from '#domain/test-clock';
import type { WebhookEndpointRejection } from '#domain/webhook-endpoint';
import type { ExecutorRejection } from '#event-store';
import type { SandboxDisputeRejection } from '#gateway';

/** Every code by which a decision is refused: each has its row of answers (rules/api 12). */
export type RejectionCode = (
  | AppRejection
  | CartRejection
  | CheckoutLinkRejection
  | ExplainRejection
  | ExecutorRejection
  | FinanceRejection
  | LoyaltyProgramRejection
  | LoyaltyRejection
  | OperatorTokenRejection
  | OrderRejection
  | PaymentRejection
  | PlanCodeRejection
  | PlanRejection
  | PlayerPlansRejection
  | PriceSheetRejection
  | ProjectionRejection
  | SandboxDisputeRejection
  | ShopRejection
  | ShopSessionRejection
  | SubscriptionRejection
  | TaxRatesRejection
  | TestClockRejection
  | WebhookEndpointRejection
)['code'];
