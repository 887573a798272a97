import type { Money } from '#domain/money';
import { taxRatesAggregate } from '#domain/pricing';
import {
  awaitedCharge,
  quoteNextCharge,
  type StartedSubscription,
  subscriptionAggregate,
} from '#domain/subscription';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { type ExplainedLine, explainLine } from './explain-entry.js';

/** The next charge of a subscription, by the plan, price and tax rates that are known now. */
export interface ExplainedCharge {
  readonly kind: 'next_charge';
  readonly subscription: string;
  readonly status: string;
  /** Why there is no charge to come; empty where there is one. */
  readonly why: string;
  readonly next: {
    readonly dueAt: string;
    readonly period: { readonly number: number; readonly start: string; readonly end: string };
    readonly amount: Money;
    readonly lines: readonly ExplainedLine[];
  } | null;
}

/** @throws FinanceRefusal for a subscription that the app does not have; Fault of the store. */
export async function explainNextCharge(
  app: FinanceApp,
  subscriptionId: string,
): Promise<ExplainedCharge> {
  const { appId, commands } = app;
  const { state } = await commands.load(subscriptionAggregate, subscriptionId);
  if (state.status === 'none' || state.appId !== appId) {
    const message = `There is no subscription ${subscriptionId} in ${appId}.`;
    throw new FinanceRefusal('SUBSCRIPTION_NOT_FOUND', message);
  }
  const { status } = state;
  const about = { kind: 'next_charge', subscription: subscriptionId, status } as const;
  const why = findObstacle(state);
  if (why !== '') return { ...about, why, next: null };
  const { state: taxRates } = await commands.load(taxRatesAggregate, appId);
  const { dueAt, period, amount, lines } = quoteNextCharge(state, taxRates);
  const explained: ExplainedLine[] = [];
  for (const line of lines) explained.push(await explainLine(app, line));
  return { ...about, why, next: { dueAt, period, amount, lines: explained } };
}

function findObstacle(state: StartedSubscription): string {
  if (state.status === 'expired') return `it ended on ${state.expiredAt ?? ''}`;
  if (state.status === 'canceled') {
    return `it is canceled, and ends on ${state.currentPeriodEnd}: reactivated, it would be charged then`;
  }
  const awaited = awaitedCharge(state);
  if (awaited !== null) {
    return `${awaited.paymentId} has no outcome yet: "finance explain" it, or ask again when it has one`;
  }
  const isGivenUp = state.dunning !== null && state.dunning.nextRetryAt === null;
  return isGivenUp
    ? `no further attempt is made: it ends on ${state.dunning.graceEndsAt} unless the player pays`
    : '';
}
