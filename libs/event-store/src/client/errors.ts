import { type CommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import { Fault } from '#platform';

/** What the client threw, as a fault. Whether it can be retried is decided here and nowhere else. */
export function toFault(error: unknown, doing: string): Fault {
  if (error instanceof Fault) return error;
  const refusal = error instanceof Error && isCommandError(error) && isRefusal(error);
  const text = error instanceof Error ? error.message : String(error);
  const unreached = unreachedBecause(text);
  const message = unreached ?? `${doing}: ${text}`;
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

/**
 * Why the store could not be reached or refused the connection, with the name of the setting to
 * look at: the address itself may hold a password. Undefined when the store was reached.
 *
 * @param text such as "14 UNAVAILABLE: No connection established. Last error: Error: connect
 *   ECONNREFUSED 127.0.0.1:2113. Resolution note: ".
 */
export function unreachedBecause(text: string): string | undefined {
  const [, status, details = ''] =
    /^(14 UNAVAILABLE|16 UNAUTHENTICATED|7 PERMISSION_DENIED): (.*)/s.exec(text) ?? [];
  if (status === undefined) return undefined;
  const lastError = /Last error: (?:Error: )?(.*?)\.? Resolution note:/s.exec(details)?.[1];
  const reason = (lastError ?? details).replace(/\s+/g, ' ');
  const is = status.startsWith('14') ? 'cannot be reached' : 'refuses these credentials';
  return `the event store at EVENTSTOREDB_URL ${is}: ${reason}`;
}
