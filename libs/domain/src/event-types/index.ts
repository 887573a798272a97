import type { ActivityEvent } from '../activity/index.js';
import type { AppEvent } from '../app/index.js';
import type { CartEvent } from '../cart/index.js';
import type { CatalogEvent } from '../catalog/index.js';
import type { CheckoutLinkEvent } from '../checkout-link/index.js';
import type { EndpointListEvent } from '../endpoint-list/index.js';
import type { FinanceEvent } from '../finance/index.js';
import type { IdempotencyKeyReserved } from '../idempotency-key/index.js';
import type { LoyaltyEvent } from '../loyalty/index.js';
import type { LoyaltyProgramEvent } from '../loyalty-program/index.js';
import type { OperatorTokenEvent } from '../operator-tokens/index.js';
import type { OrderEvent, OrderLinkEvent } from '../order/index.js';
import type { PaymentEvent } from '../payment/index.js';
import type { PlanCodeReserved, PlanEvent } from '../plan/index.js';
import type { PlayerEvent } from '../player/index.js';
import type { PlayerPlansEvent } from '../player-plans/index.js';
import type { PriceSheetEvent, PriceSheetRowsStored } from '../price-sheet/index.js';
import type { TaxRatesEvent } from '../pricing/index.js';
import type { ProjectionEvent } from '../projection/index.js';
import type { SealNoticeEvent, SealWitnessesEvent } from '../seal/index.js';
import type { SettlementEvent } from '../settlement/index.js';
import type { ShopEvent } from '../shop/index.js';
import type { ShopSessionEvent } from '../shop-session/index.js';
import type { SubscriptionEvent } from '../subscription/index.js';
import type { TestClockEvent } from '../test-clock/index.js';
import type { WebhookEndpointEvent } from '../webhook-endpoint/index.js';

type StoredEvent =
  | ActivityEvent
  | AppEvent
  | CartEvent
  | CatalogEvent
  | CheckoutLinkEvent
  | EndpointListEvent
  | FinanceEvent
  | IdempotencyKeyReserved
  | LoyaltyEvent
  | LoyaltyProgramEvent
  | OperatorTokenEvent
  | OrderEvent
  | OrderLinkEvent
  | PaymentEvent
  | PlanCodeReserved
  | PlanEvent
  | PlayerEvent
  | PlayerPlansEvent
  | PriceSheetEvent
  | PriceSheetRowsStored
  | ProjectionEvent
  | SealNoticeEvent
  | SealWitnessesEvent
  | SettlementEvent
  | ShopEvent
  | ShopSessionEvent
  | SubscriptionEvent
  | TaxRatesEvent
  | TestClockEvent
  | WebhookEndpointEvent;

/** The fields that are texts in each event of a type: one that may be missing could not be known from one that was left out. */
type TextField<Data> = {
  [Field in keyof Data]-?: Data[Field] extends string ? Field : never;
}[keyof Data];

/**
 * Fields of an event's data that its place and its metadata say already. They are stored once, which is a fifth of a
 * ledger (rules/events 10): readers of an event find them in its data all the same. A field that says something else
 * than its place is stored as it is.
 */
export interface RepeatedFields<Data = Readonly<Record<string, string>>> {
  /** The id in the name of the event's stream. */
  readonly id?: TextField<Data>;
  /** When the event happened: `occurredAt`. */
  readonly at?: TextField<Data>;
  readonly app?: TextField<Data>;
  readonly player?: TextField<Data>;
}

type DataOf<Type> = Extract<StoredEvent, { readonly type: Type }>['data'];

/** Events that belong to a player of an app. */
const OWNED = { app: 'appId', player: 'player' } as const;

/**
 * Every event that this release can read, by its stored name, with the fields that its data need not repeat. Written as
 * a record so that the compiler asks for a line when an event is added. A stored event that is not here was written by
 * a newer release. The fields that a row names stay as they are for good: events of its type are stored without them,
 * and a release that does not know of one would not fill it up. Events of which there are few for an app name none.
 */
const KNOWN: { readonly [Type in StoredEvent['type']]: RepeatedFields<DataOf<Type>> } = {
  'activity.cart_button_clicked.v1': { at: 'seenAt' },
  'activity.checkout_page_viewed.v1': { at: 'seenAt' },
  'activity.item_page_viewed.v1': { at: 'seenAt' },
  'activity.item_viewed.v1': { at: 'seenAt' },
  'app.allowed_origins_configured.v1': {},
  'app.brand_set.v1': {},
  'app.catalog_configured.v1': {},
  'app.catalog_key_resealed.v1': {},
  'app.created.v1': {},
  'app.default_region_set.v1': {},
  'app.dunning_configured.v2': {},
  'app.gateway_configured.v1': {},
  'app.ingress_secret_rotated.v1': {},
  'app.lost_dispute_policy_set.v1': {},
  'app.renamed.v1': {},
  'app.seal_witness_set.v1': {},
  'app.secrets_resealed.v1': {},
  'app.segment_added.v1': {},
  'app.stripe_keys_resealed.v1': {},
  'app.token_issuer_configured.v1': {},
  'cart.closed.v1': { at: 'closedAt' },
  'cart.item_removed.v1': { at: 'changedAt' },
  'cart.item_set.v1': { at: 'changedAt' },
  'cart.items_carried_over.v1': { at: 'carriedAt' },
  'cart.problems_shown.v1': { at: 'shownAt' },
  'catalog.call_failed.v1': {},
  'checkout_link.attempted.v1': { at: 'attemptedAt' },
  'checkout_link.challenged.v2': { at: 'challengedAt' },
  'checkout_link.change_attempted.v1': { at: 'attemptedAt' },
  'checkout_link.change_created.v1': { ...OWNED, id: 'linkId', at: 'createdAt' },
  'checkout_link.claim_granted.v1': { at: 'grantedAt' },
  'checkout_link.completed.v1': { at: 'completedAt' },
  'checkout_link.created.v2': { ...OWNED, id: 'linkId', at: 'createdAt' },
  'checkout_link.declined.v1': { at: 'declinedAt' },
  'checkout_link.late_outcome_recorded.v1': { at: 'recordedAt' },
  'checkout_link.paid.v1': { at: 'paidAt' },
  'checkout_link.refused.v1': { at: 'refusedAt' },
  'endpoint_list.listed.v1': {},
  'endpoint_list.unlisted.v1': {},
  'finance.close_approved.v1': {},
  'finance.close_requested.v1': {},
  'finance.difference_accepted.v1': {},
  'finance.period_closed.v1': {},
  'finance.policy_set.v1': {},
  'idempotency_key.reserved.v1': {},
  'loyalty.milestone_claimed.v1': { at: 'claimedAt' },
  'loyalty.order_recorded.v1': { at: 'recordedAt' },
  'loyalty_program.campaign_created.v1': {},
  'loyalty_program.campaign_revised.v1': {},
  'operator_token.issued.v1': {},
  'operator_token.revoked.v1': {},
  'order.attempted.v1': { at: 'attemptedAt' },
  'order.canceled.v1': { at: 'canceledAt' },
  'order.challenged.v1': { at: 'challengedAt' },
  'order.checkout_opened.v1': { at: 'openedAt' },
  'order.claimed.v1': { at: 'claimedAt' },
  'order.created.v1': { ...OWNED, id: 'orderId', at: 'createdAt' },
  'order.dispute_recorded.v1': { at: 'recordedAt' },
  'order.expired.v1': { at: 'expiredAt' },
  'order.item_redeemed.v1': { at: 'redeemedAt' },
  'order.late_outcome_recorded.v1': { at: 'recordedAt' },
  'order.paid.v1': { at: 'paidAt' },
  'order.payment_declined.v1': { at: 'declinedAt' },
  'order.refund_recorded.v1': { at: 'recordedAt' },
  'order_link.created.v1': { ...OWNED, id: 'linkId', at: 'createdAt' },
  'payment.captured.v1': { at: 'capturedAt' },
  'payment.challenged.v2': { at: 'challengedAt' },
  'payment.declined.v1': { at: 'failedAt' },
  'payment.dispute_closed.v1': { at: 'closedAt' },
  'payment.dispute_opened.v1': { at: 'openedAt' },
  'payment.given_up.v1': { at: 'givenUpAt' },
  'payment.pending.v1': { at: 'pendingSince' },
  'payment.refund_failed.v1': { at: 'failedAt' },
  'payment.refund_requested.v1': { at: 'requestedAt' },
  'payment.refunded.v1': { at: 'refundedAt' },
  'payment.requested.v3': { ...OWNED, id: 'paymentId', at: 'requestedAt' },
  'payment.unapplied.v1': { at: 'unappliedAt' },
  'plan.abandoned.v1': {},
  'plan.activated.v1': {},
  'plan.archived.v1': {},
  'plan.created.v1': {},
  'plan.deprecated.v1': {},
  'plan.revised.v1': {},
  'plan_code.reserved.v1': {},
  'player.erased.v1': { at: 'erasedAt' },
  'player.key_resealed.v1': {},
  'player.registered.v1': { at: 'registeredAt' },
  'player_plans.claimed.v1': { at: 'claimedAt' },
  'player_plans.refused.v1': { at: 'refusedAt' },
  'player_plans.released.v1': { at: 'releasedAt' },
  'price_sheet.activated.v1': {},
  'price_sheet.uploaded.v1': {},
  'price_sheet_rows.stored.v1': {},
  'projection.dropped.v1': {},
  'projection.held.v1': {},
  'projection.paused.v1': {},
  'projection.rebuild_requested.v1': {},
  'projection.resumed.v1': {},
  'projection.rolled_back.v1': {},
  'projection.swapped.v1': {},
  'projection.verified.v1': {},
  'seal_notice.recorded.v1': {},
  'seal_witnesses.listed.v1': {},
  'settlement.payout_noted.v1': {},
  'settlement.row_imported.v1': {},
  'shop.cart_opened.v2': { at: 'openedAt' },
  'shop.charge_requested.v1': { at: 'requestedAt' },
  'shop.item_claimed.v1': { at: 'claimedAt' },
  'shop.order_begun.v2': { at: 'begunAt' },
  'shop_session.ended.v1': { at: 'endedAt' },
  'shop_session.linked.v1': { ...OWNED, at: 'linkedAt' },
  'shop_session.opened.v1': { at: 'openedAt' },
  'subscription.canceled.v1': { at: 'canceledAt' },
  'subscription.change_declined.v1': { at: 'failedAt' },
  'subscription.change_refused.v1': { at: 'refusedAt' },
  'subscription.change_requested.v1': { at: 'requestedAt' },
  'subscription.created.v2': { ...OWNED, id: 'subscriptionId', at: 'createdAt' },
  'subscription.credit_refund_failed.v1': { at: 'recordedAt' },
  'subscription.currency_change_scheduled.v1': { at: 'scheduledAt' },
  'subscription.dispute_recorded.v1': { at: 'recordedAt' },
  'subscription.expired.v1': { at: 'expiredAt' },
  'subscription.payment_method_changed.v1': { at: 'changedAt' },
  'subscription.plan_change_dropped.v1': { at: 'droppedAt' },
  'subscription.plan_change_scheduled.v1': { at: 'scheduledAt' },
  'subscription.plan_changed.v1': { at: 'changedAt' },
  'subscription.reactivated.v1': { at: 'reactivatedAt' },
  'subscription.refund_recorded.v1': { at: 'recordedAt' },
  'subscription.region_changed.v1': { at: 'changedAt' },
  'subscription.late_outcome_recorded.v1': { at: 'recordedAt' },
  'subscription.renewal_failed.v2': { at: 'failedAt' },
  'subscription.renewal_requested.v1': { at: 'requestedAt' },
  'subscription.renewed.v1': { at: 'renewedAt' },
  'tax_rates.set.v1': {},
  'test_clock.advance_requested.v1': {},
  'test_clock.stepped.v1': {},
  'test_clock.target_reached.v1': {},
  'webhook_endpoint.changed.v1': {},
  'webhook_endpoint.created.v2': {},
  'webhook_endpoint.deleted.v1': {},
  'webhook_endpoint.disabled.v1': {},
  'webhook_endpoint.enabled.v1': {},
  'webhook_endpoint.resend_requested.v1': {},
  'webhook_endpoint.secret_resealed.v2': {},
  'webhook_endpoint.secret_rotated.v1': {},
  'webhook_endpoint.test_requested.v1': {},
};

/**
 * The rows of names that are not written any more, since an upcaster leads from them to a newer version. Their
 * events stay stored as they are, without the fields of the row: it moves here as it was.
 */
const RETIRED: Readonly<Record<string, RepeatedFields>> = {
  'webhook_endpoint.created.v1': {},
};

export const EVENT_TYPES: readonly string[] = Object.keys(KNOWN);

/** The fields that an event's data need not repeat, by its stored name; none for an unknown name. */
export const REPEATED_FIELDS: ReadonlyMap<string, RepeatedFields> = new Map(
  // Each row names fields of its own type of event; to those who only look them up they are names.
  Object.entries({ ...RETIRED, ...KNOWN }) as [string, RepeatedFields][],
);
