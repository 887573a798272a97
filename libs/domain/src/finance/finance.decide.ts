import { deepEqual } from 'fast-equals';
import {
  type AccountingPeriod,
  type Day,
  dayAt,
  firstDay,
  nextPeriod,
} from '../bookkeeping/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  type FieldViolation,
  reject,
  rejectFields,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { CloseFigures, FinanceEvent, FinancePolicy } from './finance.events.js';
import { type Finance, findPolicy } from './finance.state.js';
import { checkPolicy } from './policy-check.js';

interface Act {
  /** The actor of the command, as in the events' metadata. */
  readonly by: string;
  readonly reason: string;
}

export type FinanceCommand =
  | (FinancePolicy & {
      readonly kind: 'SetPolicy';
      readonly from: Day;
      readonly reason: string;
    })
  | (CloseFigures &
      Act & {
        readonly kind: 'RequestClose';
        /** The period of the app's first entry; null where the app has none. */
        readonly first: AccountingPeriod | null;
        /** The number of the policy that the figures follow. */
        readonly policy: number;
        readonly now: Instant;
      })
  | (Act & { readonly kind: 'ApproveClose'; readonly period: AccountingPeriod })
  | (Act & { readonly kind: 'AcceptDifference'; readonly row: string });

export interface FinanceRejection extends AnyRejection {
  readonly code:
    | 'finance/already_closed'
    | 'finance/invalid_policy'
    | 'finance/no_close_requested'
    | 'finance/nothing_booked'
    | 'finance/not_next_period'
    | 'finance/period_not_over'
    | 'finance/policy_changed'
    | 'finance/same_person';
  readonly violations?: readonly FieldViolation[];
}

type Decided = Decision<FinanceEvent, FinanceRejection>;
type Closing = Extract<FinanceCommand, { kind: 'RequestClose' }>;

/** Decides the acts of finance on one app (rules/finance 30 and 31). */
export function decideFinance(command: FinanceCommand, state: Finance): Decided {
  switch (command.kind) {
    case 'SetPolicy':
      return setPolicy(command, state);
    case 'RequestClose':
      return requestClose(command, state);
    case 'ApproveClose':
      return approveClose(command, state);
    case 'AcceptDifference':
      return acceptDifference(command, state);
  }
}

function setPolicy(
  { from, reason, zone, itemClasses, approval }: Extract<FinanceCommand, { kind: 'SetPolicy' }>,
  state: Finance,
): Decided {
  const policy = { zone, itemClasses, approval };
  const violations = [...checkPolicy(policy), ...checkFrom(from, state)];
  if (violations.length > 0) return rejectFields('finance/invalid_policy', violations);
  const last = state.policies.at(-1);
  if (last !== undefined && deepEqual(last, { ...policy, number: last.number, from })) {
    return accept();
  }
  const data = { number: state.lastPolicy + 1, ...policy, from, reason };
  return accept({ type: 'finance.policy_set.v1', data });
}

/** Never backwards: closed periods stay as they were closed. */
function checkFrom(from: Day, { closed }: Finance): FieldViolation[] {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-01$/.test(from)) {
    const description = `${JSON.stringify(from)} is not the first day of a month, such as 2026-01-01`;
    return [{ field: 'from', description }];
  }
  const last = closed.at(-1);
  if (last === undefined || from.slice(0, 7) > last.period) return [];
  const first = firstDay(nextPeriod(last.period));
  const description = `${last.period} is closed: a policy holds from ${first} on at the earliest`;
  return [{ field: 'from', description }];
}

function requestClose(command: Closing, state: Finance): Decided {
  const refused = checkClose(command, state);
  if (refused !== undefined) return refused;
  const { period, size, rules, reports, totals, by, reason } = command;
  const policy = findPolicy(state, firstDay(period));
  if (policy.number !== command.policy) return reject('finance/policy_changed');
  const request = {
    ...{ period, size, rules, policy: policy.number, reports, totals },
    ...{ requestedBy: by, reason },
  };
  if (!policy.approval) {
    return accept({ type: 'finance.period_closed.v1', data: { ...request, approvedBy: null } });
  }
  if (deepEqual(request, state.request)) return accept();
  return accept({ type: 'finance.close_requested.v1', data: request });
}

/** Closed periods have no gap, begin with that of the first entry, and are over. @returns the refusal of any other. */
export function checkClose(
  { period, first, now }: Pick<Closing, 'period' | 'first' | 'now'>,
  state: Finance,
) {
  if (first === null) return reject('finance/nothing_booked');
  const last = state.closed.at(-1);
  if (last !== undefined && period <= last.period) return reject('finance/already_closed');
  const next = last === undefined ? first : nextPeriod(last.period);
  if (period !== next) return reject('finance/not_next_period', next);
  const { zone } = findPolicy(state, firstDay(period));
  const open = firstDay(nextPeriod(period));
  return dayAt(now, zone) < open ? reject('finance/period_not_over', `${open} ${zone}`) : undefined;
}

function approveClose(
  { period, by, reason }: Extract<FinanceCommand, { kind: 'ApproveClose' }>,
  { request, closed }: Finance,
): Decided {
  if (closed.some((each) => each.period === period)) return accept();
  if (request?.period !== period) return reject('finance/no_close_requested');
  if (request.requestedBy === by) return reject('finance/same_person', by);
  const { size } = request;
  return accept<FinanceEvent>(
    { type: 'finance.close_approved.v1', data: { period, size, approvedBy: by, reason } },
    { type: 'finance.period_closed.v1', data: { ...request, approvedBy: by } },
  );
}

function acceptDifference(
  { row, by, reason }: Extract<FinanceCommand, { kind: 'AcceptDifference' }>,
  { accepted }: Finance,
): Decided {
  if (Object.hasOwn(accepted, row)) return accept();
  const data = { row, reason, acceptedBy: by };
  return accept({ type: 'finance.difference_accepted.v1', data });
}
