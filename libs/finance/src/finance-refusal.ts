import type { FieldViolation } from '#domain/decider';

/** The reasons why books are not answered from, or not acted on, as someone asks. */
export type FinanceRefusalReason =
  | 'ACCOUNT_NOT_FOUND'
  | 'CLOSE_GATES_SHUT'
  | 'COLUMNS_MISSING'
  | 'ENTRY_NOT_FOUND'
  | 'GATEWAY_KEYS_MISSING'
  | 'NOTHING_SEALED'
  | 'PAYMENT_NOT_FOUND'
  | 'PAYOUT_NOT_FOUND'
  | 'PERIOD_NOT_BEGUN'
  | 'PERIOD_OPEN'
  | 'REPORT_REFUSED'
  | 'ROWS_REFUSED'
  | 'ROW_NOT_FOUND'
  | 'SEAL_CHECKPOINT_NOT_FOUND'
  | 'SUBSCRIPTION_NOT_FOUND';

/** One sentence for a person, as the command line and the API give it. */
export class FinanceRefusal extends Error {
  /** @param violations names each bad part of a file, or each gate that is shut. */
  constructor(
    readonly reason: FinanceRefusalReason,
    message: string,
    readonly violations: readonly FieldViolation[] = [],
  ) {
    super(message);
    this.name = 'FinanceRefusal';
  }
}
