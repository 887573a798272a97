import { FinanceRefusal, type FinanceRefusalReason } from '#finance';
import { ApiError } from '#nest';

type Status = ConstructorParameters<typeof ApiError>[0];

const STATUSES: Readonly<Record<FinanceRefusalReason, Status>> = {
  ACCOUNT_NOT_FOUND: 'NOT_FOUND',
  CLOSE_GATES_SHUT: 'FAILED_PRECONDITION',
  COLUMNS_MISSING: 'INVALID_ARGUMENT',
  ENTRY_NOT_FOUND: 'NOT_FOUND',
  GATEWAY_KEYS_MISSING: 'FAILED_PRECONDITION',
  NOTHING_SEALED: 'NOT_FOUND',
  PAYMENT_NOT_FOUND: 'NOT_FOUND',
  PAYOUT_NOT_FOUND: 'NOT_FOUND',
  PERIOD_NOT_BEGUN: 'FAILED_PRECONDITION',
  PERIOD_OPEN: 'FAILED_PRECONDITION',
  REPORT_REFUSED: 'FAILED_PRECONDITION',
  ROWS_REFUSED: 'INVALID_ARGUMENT',
  ROW_NOT_FOUND: 'NOT_FOUND',
  SEAL_CHECKPOINT_NOT_FOUND: 'NOT_FOUND',
  SUBSCRIPTION_NOT_FOUND: 'NOT_FOUND',
};

/** Does work on an app's books. @throws ApiError with the sentence of the command line where it is refused. */
export async function orApiError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FinanceRefusal ? toApiError(error) : error;
  }
}

/** A refusal as callers get it. */
export function toApiError({ reason, message, violations }: FinanceRefusal): ApiError {
  return new ApiError(STATUSES[reason], { reason, message, fieldViolations: violations });
}

/** Whether a text names a reason: a bookkeeper of another release may have others. */
export function isRefusalReason(text: string): text is FinanceRefusalReason {
  return Object.hasOwn(STATUSES, text);
}
