import { streamsOfId } from '#causes';
import { CliError } from '../cli-error.js';

/** The error for a stream that has no events. @param text as it was typed. */
export function noSuchStream(text: string): CliError {
  const names = streamsOfId(text);
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
  return new CliError(`There is no stream ${JSON.stringify(text)}.${hint}`);
}
