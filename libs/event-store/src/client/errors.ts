import { type CommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import commandErrors from '@eventstore/db-client/dist/utils/CommandError.js';
import { status } from '@grpc/grpc-js';
import { Fault } from '#platform';

/** More than an append may hold, of which nothing was stored: fewer events at once may be taken. */
export class TooLargeToAppend extends Fault {
  constructor(message: string) {
    super('refused', message, { retryable: false });
  }
}

/** An error of the client or of gRPC, as a fault. Whether it can be retried is decided here and nowhere else. */
export function toFault(error: unknown, doing: string): Fault {
  if (error instanceof Fault) return error;
  const known = error instanceof Error ? commandErrors.convertToCommandError(error) : error;
  const fault = toUnknownOutcome(known, doing);
  return known instanceof Error && isCommandError(known) && isRefusal(known)
    ? new Fault('refused', fault.message, { retryable: false, cause: known })
    : fault;
}

/** The same for a call that may have done its work before it failed, whatever its error says. */
export function toUnknownOutcome(error: unknown, doing: string): Fault {
  const text = error instanceof Error ? error.message : String(error);
  const message = unreachedBecause(text) ?? `${doing}: ${text}`;
  return new Fault('unavailable', message, { retryable: true, cause: error });
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
      return error.code === status.PERMISSION_DENIED;
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
