import { type AccountingPeriod, firstDay } from '#domain/bookkeeping';
import {
  checkClose,
  financeAggregate,
  type FinanceRejection,
  type FinanceState,
  findPolicy,
} from '#domain/finance';
import type { CommandResult, ExecutorRejection } from '#event-store';
import type { FoundCheckpoint } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import type { WithBooks } from '../report/read-books.js';
import { type CloseScope, computeFigures, findFirstPeriod, withPeriod } from './closed-books.js';
import {
  balanceGate,
  type OpenDifference,
  parkedGate,
  reconciliationGate,
  type ShutGate,
} from './gates.js';

/** A close as a person asks for it. */
export interface CloseWish {
  readonly period: AccountingPeriod;
  /** The person, as the event has it: a second one is another. */
  readonly by: string;
  readonly reason: string;
}

/** The things that a close needs to know beside the ledger's own events. */
export interface CloseMeans {
  readonly withBooks: WithBooks;
  /** The streams of the app that are parked. */
  findParked(): Promise<readonly string[]>;
  /** The differences with gateway and payouts of a period that no person took. */
  findDifferences(period: AccountingPeriod): Promise<readonly OpenDifference[]>;
  /** Makes a checkpoint of all events that are there now. */
  seal(): Promise<FoundCheckpoint>;
}

/** The outcome of an act on a close; a refusal and a shut gate change nothing. */
export type CloseOutcome =
  | {
      readonly kind: 'closed' | 'requested';
      /** The size of the checkpoint that the close counts to. */
      readonly size: number;
    }
  | { readonly kind: 'refused'; readonly rejection: FinanceRejection | ExecutorRejection }
  | { readonly kind: 'shut'; readonly gates: readonly ShutGate[] };

/**
 * Closes a period of an app, or asks for its close where two people close (rules/finance 31). It makes a checkpoint of
 * its own and counts to there, so that a busy ledger can be closed.
 *
 * @throws Fault.
 */
export async function closePeriod(
  app: FinanceApp,
  { period, by, reason }: CloseWish,
  means: CloseMeans,
): Promise<CloseOutcome> {
  const { appId, commands, context } = app;
  const { now } = context;
  const { state } = await commands.load(financeAggregate, appId);
  // The former close is known before the checkpoint is made, so that it lies in it.
  const early = checkClose({ period, first: period, now }, state);
  if (early !== undefined) return { kind: 'refused', rejection: early.rejection };
  const streams = await means.findParked();
  const gates = [
    ...parkedGate(streams),
    ...reconciliationGate(await means.findDifferences(period)),
  ];
  if (gates.length > 0) return { kind: 'shut', gates };
  const { figures, first } = await count({ app, period }, means);
  const unbalanced = balanceGate(figures);
  if (unbalanced.length > 0) return { kind: 'shut', gates: unbalanced };
  const policy = findPolicy(state, firstDay(period)).number;
  const command = { kind: 'RequestClose', ...figures, first, policy, by, reason, now } as const;
  return toOutcome(period, await commands.execute(financeAggregate, appId, command, context));
}

/** A second person closes a period as it was asked for. @throws Fault. */
export async function approveClose(
  { appId, commands, context }: FinanceApp,
  { period, by, reason }: CloseWish,
): Promise<CloseOutcome> {
  const command = { kind: 'ApproveClose', period, by, reason } as const;
  return toOutcome(period, await commands.execute(financeAggregate, appId, command, context));
}

async function count(scope: Omit<CloseScope, 'upTo'>, means: CloseMeans) {
  const counted = { ...scope, upTo: await means.seal() };
  return withPeriod(counted, means.withBooks, async (books) => ({
    figures: await computeFigures(books, counted),
    first: await findFirstPeriod(books),
  }));
}

function toOutcome(
  period: AccountingPeriod,
  result: CommandResult<FinanceState, unknown, FinanceRejection>,
): CloseOutcome {
  if (!result.accepted) return { kind: 'refused', rejection: result.rejection };
  const { closed, request } = result.state;
  const close = closed.find((each) => each.period === period);
  if (close !== undefined) return { kind: 'closed', size: close.size };
  return { kind: 'requested', size: request?.size ?? 0 };
}
