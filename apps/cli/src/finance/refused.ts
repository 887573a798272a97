import type { FinanceRejection } from '#domain/finance';
import type { ExecutorRejection } from '#event-store';
import { FINANCE_REFUSALS } from '#representations';
import { CliError } from '../cli-error.js';

/** A refused act of finance as an error of the command line. */
export function toCliError({
  code,
  detail,
  ...more
}: FinanceRejection | ExecutorRejection): CliError {
  if (!isKnown(code)) return new CliError(`The ledger refused: ${code}.`);
  const { reason, message } = FINANCE_REFUSALS[code];
  const fields = 'violations' in more ? (more.violations ?? []) : [];
  const details = fields.map(({ field, description }) => `${field}: ${description}`);
  const sentence = detail === undefined ? message : `${message.replace(/\.$/, '')} (${detail}).`;
  return new CliError(sentence, 'refused', details, reason);
}

function isKnown(code: string): code is FinanceRejection['code'] {
  return Object.hasOwn(FINANCE_REFUSALS, code);
}
