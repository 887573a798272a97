import type { AccountingPeriod, Day, ItemClass } from '../bookkeeping/index.js';
import type { DomainEvent } from '../event/index.js';

/** How an app's money is accounted for (rules/finance 30). */
export interface FinancePolicy {
  /** Days and periods are of this zone, an IANA name. */
  readonly zone: string;
  /** Items of no class are earned at once. */
  readonly itemClasses: readonly ItemClass[];
  /** Whether a second person approves each close. */
  readonly approval: boolean;
}

export type PolicySet = DomainEvent<
  'finance.policy_set.v1',
  FinancePolicy & {
    /** Counts the policies of an app, from 1. */
    readonly number: number;
    /** It holds from this day on, the first one of a period. */
    readonly from: Day;
    readonly reason: string;
  }
>;

/** A report as it was closed. */
export interface ClosedReport {
  readonly name: string;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
}

/** The sums of a closed period. */
export interface ClosedTotal {
  readonly account: string;
  readonly currency: string;
  readonly debitMinor: string;
  readonly creditMinor: string;
}

/** The figures that a period is closed with: they follow from these leaves, rules and policy alone. */
export interface CloseFigures {
  readonly period: AccountingPeriod;
  /** The size of the checkpoint: the entries of events with smaller leaves are in the figures. */
  readonly size: number;
  /** The version of the posting rules, `rules.v1`. */
  readonly rules: string;
  readonly reports: readonly ClosedReport[];
  readonly totals: readonly ClosedTotal[];
}

/** A close as it was asked for. */
export interface CloseRequest extends CloseFigures {
  /** The number of the policy in force in the period; 0 where none was set. */
  readonly policy: number;
  readonly requestedBy: string;
  readonly reason: string;
}

/** A close that waits for a second person. */
export type CloseRequested = DomainEvent<'finance.close_requested.v1', CloseRequest>;
export type CloseApproved = DomainEvent<
  'finance.close_approved.v1',
  {
    readonly period: AccountingPeriod;
    readonly size: number;
    readonly approvedBy: string;
    readonly reason: string;
  }
>;
/** There is no way back: later entries are booked in the first open period. */
export type PeriodClosed = DomainEvent<
  'finance.period_closed.v1',
  CloseRequest & {
    /** The second person; null where the app asked for none. */
    readonly approvedBy: string | null;
  }
>;
/** A person takes a difference between gateway and payouts as it is. */
export type DifferenceAccepted = DomainEvent<
  'finance.difference_accepted.v1',
  { readonly row: string; readonly reason: string; readonly acceptedBy: string }
>;

export type FinanceEvent =
  PolicySet | CloseRequested | CloseApproved | PeriodClosed | DifferenceAccepted;
