import { type CommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import { Fault } from '#platform';

/** What the client threw, as a fault. Whether it can be retried is decided here and nowhere else. */
export function toFault(error: unknown, doing: string): Fault {
  if (error instanceof Fault) return error;
  const refusal = error instanceof Error && isCommandError(error) && isRefusal(error);
  const message = `${doing}: ${error instanceof Error ? error.message : String(error)}`;
  return refusal
    ? new Fault('refused', message, { retryable: false, cause: error })
    : new Fault('unavailable', message, { retryable: true, cause: error });
}

/**
 * The store understood and said no. All else is an unknown outcome: among the client's errors even
 * a TypeError in its reply handling means no more than that the answer was lost.
 */
function isRefusal(error: CommandError): boolean {
  switch (error.type) {
    case ErrorType.ACCESS_DENIED:
    case ErrorType.INVALID_ARGUMENT:
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
    case ErrorType.MISSING_REQUIRED_METADATA_PROPERTY:
    case ErrorType.STREAM_DELETED:
    case ErrorType.UNSUPPORTED:
      return true;
    default:
      return false;
  }
}
