import type { RequestedPayment } from '../payment/index.js';
import { taxedCharge, type TaxRates } from '../pricing/index.js';
import type {
  DunningSettings,
  LateOutcomeRecorded,
  RenewalRequested,
  StartedSubscription,
} from '../subscription/index.js';
import type { ProcessStep } from './steps.js';

/**
 * A renewal or a retry is due and was asked for: charge it (decisions 6, "Exactly one charge"), with
 * the tax rate in force on its due date (decisions 7).
 */
export function chargeOnRenewalRequest(
  subscription: StartedSubscription,
  requested: RenewalRequested['data'],
  taxRates: TaxRates,
): ProcessStep[] {
  return [
    {
      kind: 'charge',
      charge: {
        paymentId: requested.paymentId,
        appId: subscription.appId,
        externalAccountId: subscription.externalAccountId,
        subscriptionId: subscription.subscriptionId,
        checkoutLinkId: subscription.checkoutLinkId,
        ...taxedCharge(requested.amount, subscription.regionCode, taxRates, requested.dueAt),
        context: requested.context,
        paymentMethod: subscription.paymentMethod,
        dueAt: requested.dueAt,
        attempt: requested.attempt,
        metadata: subscription.metadata,
      },
    },
  ];
}

/** The gateway has answered for a renewal: the subscription moves on, or becomes past due. */
export function settleOnRenewalOutcome(
  payment: RequestedPayment,
  dunning: DunningSettings,
): ProcessStep[] {
  const { paymentId, subscriptionId, capturedAt, decline, updatedAt: now } = payment;
  if (capturedAt === null && decline === null) return [];
  const outcome = decline ?? 'captured';
  const command = { kind: 'SettleRenewal', paymentId, outcome, dunning, now } as const;
  return [{ kind: 'subscription', id: subscriptionId, command }];
}

/** A charge was captured after the subscription had ended: the player gets the money back. */
export function refundOnLateRenewalCapture(abandoned: LateOutcomeRecorded['data']): ProcessStep[] {
  if (!abandoned.captured) return [];
  const { paymentId } = abandoned;
  return [{ kind: 'refund', paymentId, refundId: `${paymentId}.late` }];
}
