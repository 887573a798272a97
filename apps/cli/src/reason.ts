import { isReason, REASON_LENGTH } from '#read-model-operations';
import { CliError } from './cli-error.js';

/** The option that acts have: its reason stands in the event. */
export const REASON = ['why; it stands in the event', parseReason, { required: true }] as const;

/** @throws CliError `usage`. */
function parseReason(text: string): string {
  if (isReason(text)) return text;
  const message = `--reason must be a text of 1 to ${REASON_LENGTH} characters.`;
  throw new CliError(message, 'usage');
}
