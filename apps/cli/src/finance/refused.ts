import type { FieldViolation } from '#domain/decider';
import type { FinanceRejection } from '#domain/finance';
import type { ExecutorRejection } from '#event-store';
import type { FinanceRefusal } from '#finance';
import { FINANCE_REFUSALS } from '#representations';
import { CliError } from '../cli-error.js';

/** About these a file is to be corrected; the others the ledger refuses. */
const ABOUT_FILES: readonly FinanceRefusal['reason'][] = ['COLUMNS_MISSING', 'ROWS_REFUSED'];

/** A refused question about an app's books as an error of the command line. */
export function toCliError({ reason, message, violations }: FinanceRefusal): CliError {
  const kind = ABOUT_FILES.includes(reason) ? 'usage' : 'refused';
  return new CliError(message, kind, violations.map(describe), reason);
}

/** A refused act of finance as an error of the command line. */
export function toRejected({
  code,
  detail,
  ...more
}: FinanceRejection | ExecutorRejection): CliError {
  if (!isKnown(code)) return new CliError(`The ledger refused: ${code}.`);
  const { reason, message } = FINANCE_REFUSALS[code];
  const fields = 'violations' in more ? (more.violations ?? []) : [];
  const sentence = detail === undefined ? message : `${message.replace(/\.$/, '')} (${detail}).`;
  return new CliError(sentence, 'refused', fields.map(describe), reason);
}

function describe({ field, description }: FieldViolation): string {
  return `${field}: ${description}`;
}

function isKnown(code: string): code is FinanceRejection['code'] {
  return Object.hasOwn(FINANCE_REFUSALS, code);
}
