import type { Instant } from '#domain/event';
import type { StudioNames } from '#domain/personal-data';
import { type PaymentLine, sumLines, totalTax } from '#domain/payment';
import { type CurrencyStays, renewedPlan, type StartedSubscription } from '#domain/subscription';
import type { CurrencyChangeDto, CurrencyChargeDto } from './currency-change.dto.js';

/** A move that is made, or would be: the lines of the next charge without it, and with it. */
interface Move {
  readonly effectiveAt: Instant;
  readonly before: readonly PaymentLine[];
  readonly after: readonly PaymentLine[];
}

/** A subscription that moves to another currency. */
export function renderMove(
  subscription: StartedSubscription,
  names: StudioNames,
  { effectiveAt, before, after }: Move,
): CurrencyChangeDto {
  return {
    ...describe(subscription, names),
    ...{ moves: true, reason: null, effectiveAt },
    ...{ before: renderCharge(before), after: renderCharge(after) },
  };
}

/** A subscription that stays in its currency. */
export function renderStay(
  subscription: StartedSubscription,
  names: StudioNames,
  reason: CurrencyStays,
): CurrencyChangeDto {
  return {
    ...describe(subscription, names),
    ...{ moves: false, reason, effectiveAt: null, before: null, after: null },
  };
}

function describe(subscription: StartedSubscription, { accountId }: StudioNames) {
  const { subscriptionId } = subscription;
  return {
    subscriptionId,
    externalAccountId: accountId,
    planId: renewedPlan(subscription).planId,
  };
}

function renderCharge(lines: readonly PaymentLine[]): CurrencyChargeDto {
  const { currency, amountMinor } = sumLines(lines);
  const totalTaxAmountCents = totalTax(lines)?.amount.amountMinor ?? '0';
  return { currency, amountCents: amountMinor, totalTaxAmountCents };
}
