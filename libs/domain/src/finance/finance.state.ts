import { type AccountingPeriod, type Day, DEFAULT_POLICY } from '../bookkeeping/index.js';
import { unknownEvent } from '../decider/index.js';
import type { CloseRequest, FinanceEvent, FinancePolicy, PolicySet } from './finance.events.js';

/** A policy with the day that it holds from. */
export type DatedPolicy = Pick<
  PolicySet['data'],
  'number' | 'zone' | 'itemClasses' | 'approval' | 'from'
>;

export interface ClosedPeriod {
  readonly period: AccountingPeriod;
  readonly size: number;
}

/** The acts of finance on one app. */
export interface Finance {
  /** By the day that they hold from; each holds until the next one does. */
  readonly policies: readonly DatedPolicy[];
  /** The number of the last policy that was set; 0 for none. */
  readonly lastPolicy: number;
  /** In their order, without a gap. */
  readonly closed: readonly ClosedPeriod[];
  /** The close that waits for a second person. */
  readonly request: CloseRequest | null;
  /** Reasons by the row that was accepted. */
  readonly accepted: Readonly<Record<string, string>>;
}

export const noFinance: Finance = {
  policies: [],
  lastPolicy: 0,
  closed: [],
  request: null,
  accepted: {},
};

/** In force where none was set: UTC, all items earned at once, one person closes (rules/finance 30). */
const NONE_SET: FinancePolicy & { readonly number: number } = {
  ...DEFAULT_POLICY,
  number: 0,
  approval: false,
};

/** The policy of a day. */
export function findPolicy(
  { policies }: Pick<Finance, 'policies'>,
  day: Day,
): FinancePolicy & { readonly number: number } {
  return policies.findLast(({ from }) => from <= day) ?? NONE_SET;
}

/** Folds one act. */
export function evolveFinance(state: Finance, event: FinanceEvent): Finance {
  switch (event.type) {
    case 'finance.policy_set.v1':
      return withPolicy(state, event.data);
    case 'finance.close_requested.v1':
      return { ...state, request: event.data };
    case 'finance.close_approved.v1':
      return state;
    case 'finance.period_closed.v1': {
      const { period, size } = event.data;
      return { ...state, closed: [...state.closed, { period, size }], request: null };
    }
    case 'finance.difference_accepted.v1': {
      const { row, reason } = event.data;
      return { ...state, accepted: { ...state.accepted, [row]: reason } };
    }
    default:
      return unknownEvent(state, event);
  }
}

/** Takes the place of policies that would hold from the same day or a later one, and of a request whose figures it changes. */
function withPolicy(state: Finance, set: PolicySet['data']): Finance {
  const { number, zone, itemClasses, approval, from } = set;
  const before = state.policies.filter((policy) => policy.from < from);
  const changesRequest = state.request !== null && from.slice(0, 7) <= state.request.period;
  return {
    ...state,
    policies: [...before, { number, zone, itemClasses, approval, from }],
    lastPolicy: number,
    request: changesRequest ? null : state.request,
  };
}
