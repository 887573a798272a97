import { type AccountingPeriod, firstDay } from '#domain/bookkeeping';
import {
  checkClose,
  financeAggregate,
  type FinanceCommand,
  type FinanceRejection,
  type FinanceState,
  findPolicy,
} from '#domain/finance';
import type { CommandResult, ExecutorRejection } from '#event-store';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import type { CountedClose } from './count-close.js';
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
  /** The streams of the app that are parked. */
  findParked(): Promise<readonly string[]>;
  /** The differences with gateway and payouts of a period that no person took. */
  findDifferences(period: AccountingPeriod): Promise<readonly OpenDifference[]>;
  /** Makes a checkpoint of all events that are there now, and counts the period up to it. */
  count(period: AccountingPeriod): Promise<CountedClose>;
}

/** A period of an app as an act has left it. */
export interface CloseState {
  /** Whether it is closed; else the close waits for a second person. */
  readonly isClosed: boolean;
  /** The size of the checkpoint that the close counts to. */
  readonly size: number;
}

type Refused = { readonly rejection: FinanceRejection | ExecutorRejection };

/**
 * Closes a period of an app, or asks for its close where two people close (rules/finance 31).
 *
 * @throws FinanceRefusal with each gate that is shut; Fault.
 */
export async function closePeriod(
  app: FinanceApp,
  wish: CloseWish,
  means: CloseMeans,
): Promise<CloseState | Refused> {
  const prepared = await prepareClose(app, wish, means);
  if ('rejection' in prepared) return prepared;
  const { appId, commands, context } = app;
  return toClose(wish, await commands.execute(financeAggregate, appId, prepared, context));
}

/**
 * The command that closes a period. Its figures count to a checkpoint of its own, so that a busy ledger can be closed.
 *
 * @throws FinanceRefusal with each gate that is shut; Fault.
 */
export async function prepareClose(
  { appId, commands, context: { now } }: FinanceApp,
  { period, by, reason }: CloseWish,
  means: CloseMeans,
): Promise<Extract<FinanceCommand, { kind: 'RequestClose' }> | Refused> {
  const { state } = await commands.load(financeAggregate, appId);
  // The former close is known before the checkpoint is made, so that it lies in it.
  const early = checkClose({ period, first: period, now }, state);
  if (early !== undefined) return early;
  requireOpen(period, [
    ...parkedGate(await means.findParked()),
    ...reconciliationGate(await means.findDifferences(period)),
  ]);
  const { figures, first } = await means.count(period);
  requireOpen(period, balanceGate(figures));
  const policy = findPolicy(state, firstDay(period)).number;
  return { kind: 'RequestClose', ...figures, first, policy, by, reason, now };
}

function requireOpen(period: AccountingPeriod, gates: readonly ShutGate[]): void {
  if (gates.length === 0) return;
  const violations = gates.map(({ gate, message }) => ({ field: gate, description: message }));
  const message = `${period} cannot be closed yet.`;
  throw new FinanceRefusal('CLOSE_GATES_SHUT', message, violations);
}

/** A second person closes a period as it was asked for. @throws Fault. */
export async function approveClose(
  { appId, commands, context }: FinanceApp,
  wish: CloseWish,
): Promise<CloseState | Refused> {
  const command = { kind: 'ApproveClose', ...wish } as const;
  return toClose(wish, await commands.execute(financeAggregate, appId, command, context));
}

function toClose(
  { period }: CloseWish,
  result: CommandResult<FinanceState, unknown, FinanceRejection>,
): CloseState | Refused {
  return result.accepted ? describeClose(period, result.state) : result;
}

/** A period as the state behind an act on its close has it. */
export function describeClose(
  period: AccountingPeriod,
  { closed, request }: FinanceState,
): CloseState {
  const close = closed.find((each) => each.period === period);
  if (close !== undefined) return { isClosed: true, size: close.size };
  return { isClosed: false, size: request?.size ?? 0 };
}
