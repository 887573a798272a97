import type { VerbatimEvent } from '#event-store';
import { CliError } from '../../cli-error.js';

/** Of an event that the target takes in no append, not even alone. */
export function eventTooLarge({ streamName, revision, data, metadata }: VerbatimEvent): CliError {
  const bytes = data.length + metadata.length;
  return new CliError(
    `The target takes no event as large as revision ${revision} of ${streamName} (${bytes} bytes): nothing was ` +
      'switched. Raise the limits of the target (MaxAppendSize; MaxAppendEventSize of KurrentDB), and begin ' +
      'again: the copy goes on there.',
  );
}
