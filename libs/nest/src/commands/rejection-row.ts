import type { StatusName } from '../http/answer/api-error.js';

/** The answer to a rejection (rules/api 12). */
export interface RejectionRow {
  readonly status: StatusName;
  readonly reason: string;
  readonly message: string;
  readonly http?: number;
  readonly retryAfterMs?: number;
}

/** An object that is not there. */
export function missing(reason: string, what: string): RejectionRow {
  return {
    status: 'NOT_FOUND',
    reason: `${reason}_NOT_FOUND`,
    message: `There is no such ${what}.`,
  };
}

/** A state in which the act is not possible. */
export function refused(reason: string, message: string): RejectionRow {
  return { status: 'FAILED_PRECONDITION', reason, message };
}

/** The row of rejections that name their bad fields; `invalidFields` adds those. */
export const INVALID_FIELDS: RejectionRow = {
  status: 'INVALID_ARGUMENT',
  reason: 'INVALID_FIELDS',
  message: 'Fields of the request are not valid.',
};

/** The amount that a caller agreed to is not the amount that is due. */
export const AMOUNT_CHANGED = refused(
  'AMOUNT_CHANGED',
  'It costs more than was shown, or gives less back. Load the page again to see the amount due now.',
);
