import type { AppEvent } from '../app/index.js';
import type { CheckoutLinkEvent } from '../checkout-link/index.js';
import type { IdempotencyKeyReserved } from '../idempotency-key/index.js';
import type { OperatorTokenEvent } from '../operator-tokens/index.js';
import type { PaymentEvent } from '../payment/index.js';
import type { PlanCodeReserved, PlanEvent } from '../plan/index.js';
import type { PriceSheetEvent, PriceSheetRowsStored } from '../price-sheet/index.js';
import type { TaxRatesEvent } from '../pricing/index.js';
import type { SubscriptionEvent } from '../subscription/index.js';
import type { TestClockEvent } from '../test-clock/index.js';
import type { WebhookEndpointEvent } from '../webhook-endpoint/index.js';

type StoredEvent =
  | AppEvent
  | CheckoutLinkEvent
  | IdempotencyKeyReserved
  | OperatorTokenEvent
  | PaymentEvent
  | PlanCodeReserved
  | PlanEvent
  | PriceSheetEvent
  | PriceSheetRowsStored
  | SubscriptionEvent
  | TaxRatesEvent
  | TestClockEvent
  | WebhookEndpointEvent;

/**
 * Every event that this release can read, by its stored name. Written as a record so that the compiler
 * asks for a line when an event is added. A stored event that is not here was written by a newer release.
 */
const KNOWN: Readonly<Record<StoredEvent['type'], true>> = {
  'app.allowed_origins_configured.v1': true,
  'app.created.v1': true,
  'app.dunning_configured.v1': true,
  'app.ingress_secret_rotated.v1': true,
  'app.renamed.v1': true,
  'app.segment_added.v1': true,
  'checkout_link.attempted.v1': true,
  'checkout_link.completed.v1': true,
  'checkout_link.created.v1': true,
  'checkout_link.declined.v1': true,
  'checkout_link.late_outcome_recorded.v1': true,
  'checkout_link.paid.v1': true,
  'idempotency_key.reserved.v1': true,
  'operator_token.issued.v1': true,
  'operator_token.revoked.v1': true,
  'payment.captured.v1': true,
  'payment.declined.v1': true,
  'payment.dispute_closed.v1': true,
  'payment.dispute_opened.v1': true,
  'payment.pending.v1': true,
  'payment.refunded.v1': true,
  'payment.requested.v1': true,
  'payment.unapplied.v1': true,
  'plan.abandoned.v1': true,
  'plan.activated.v1': true,
  'plan.archived.v1': true,
  'plan.created.v1': true,
  'plan.deprecated.v1': true,
  'plan.revised.v1': true,
  'plan_code.reserved.v1': true,
  'price_sheet.activated.v1': true,
  'price_sheet.uploaded.v1': true,
  'price_sheet_rows.stored.v1': true,
  'subscription.canceled.v1': true,
  'subscription.created.v1': true,
  'subscription.expired.v1': true,
  'subscription.reactivated.v1': true,
  'subscription.refund_recorded.v1': true,
  'subscription.late_outcome_recorded.v1': true,
  'subscription.renewal_failed.v1': true,
  'subscription.renewal_requested.v1': true,
  'subscription.renewed.v1': true,
  'tax_rates.set.v1': true,
  'test_clock.advance_requested.v1': true,
  'test_clock.stepped.v1': true,
  'test_clock.target_reached.v1': true,
  'webhook_endpoint.created.v1': true,
  'webhook_endpoint.deleted.v1': true,
};

export const EVENT_TYPES: readonly string[] = Object.keys(KNOWN);
