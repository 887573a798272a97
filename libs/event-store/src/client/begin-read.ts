import { ErrorType, type EventStoreDBClient, isCommandError } from '@eventstore/db-client';
import commandErrors from '@eventstore/db-client/dist/utils/CommandError.js';
import { Fault, retry } from '#platform';
import { toFault } from './errors.js';
import { LEADER_MOVE_BASE_MS, LEADER_MOVE_CAP_MS, LEADER_MOVES } from '../streams/limits.js';
import type { ReadAnswer } from './read-answer.js';
import { ReadCall } from './read-call.js';

/** A read that has begun: its first answers are there, or it has ended without any. */
interface BegunRead {
  readonly call: ReadCall;
  readonly answers: readonly ReadAnswer[];
}

/**
 * Begins a read. The leader is asked, since another node may be behind; a node that is it no more names the one that is,
 * and the client asks there next: nothing was read of a node that refused, so that another one may be asked for all of it.
 *
 * @param doing names the read in a fault: `reading subscription-1`. @throws Fault.
 */
export function beginRead(
  client: EventStoreDBClient,
  request: Buffer,
  doing: string,
): Promise<BegunRead> {
  const begin = async () => {
    try {
      const call = await ReadCall.open(client, request);
      return { call, answers: await firstAnswers(call) };
    } catch (error) {
      throw asFault(error, doing);
    }
  };
  return retry(begin, {
    attempts: 1 + LEADER_MOVES,
    baseMs: LEADER_MOVE_BASE_MS,
    capMs: LEADER_MOVE_CAP_MS,
    isRetryable: (error) => error instanceof Fault && isNotLeader(error.cause),
  });
}

/** What a read fails with, as a fault; what is one already stays as it is. */
export function asFault(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error;
  return toFault(commandErrors.convertToCommandError(error), doing);
}

async function firstAnswers(call: ReadCall): Promise<readonly ReadAnswer[]> {
  try {
    return await call.next();
  } catch (error) {
    call.leave(true);
    throw error;
  }
}

function isNotLeader(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.NOT_LEADER;
}
