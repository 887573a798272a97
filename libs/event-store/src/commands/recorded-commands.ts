/** A command with an idempotency key that changes nothing is recorded, for its retry to find (rules/api 13). */
import { COMMAND_RECORDED, type DomainEvent } from '#domain/event';
import type { ExecutorRejection } from './earlier-answer.js';
import type { CommandContext } from './command-context.js';
import type { Folded } from '../streams/fold.js';

export const RECORDED: DomainEvent = { type: COMMAND_RECORDED, data: {} };

/**
 * Which commands a stream records: for commands of callers without credentials, who could otherwise
 * make a stream grow for ever with ever new keys.
 */
export interface RecordingLimits<State> {
  /** Whether a repetition could be answered otherwise later; where it could not, nothing is recorded. */
  readonly isNeeded: (state: State) => boolean;
  /** How many a stream records. The command with one more new key is refused and leaves that key free. */
  readonly max: number;
}

/** Whether a command that was accepted and changes nothing is recorded. */
export function decideRecording<State>(
  { commandId }: CommandContext,
  { state, recordedCommands }: Folded<State>,
  limits: RecordingLimits<State> | undefined,
): 'recorded' | 'not needed' | 'refused' {
  if (commandId === undefined || limits?.isNeeded(state) === false) return 'not needed';
  return recordedCommands < (limits?.max ?? Infinity) ? 'recorded' : 'refused';
}

/** The refusal of one key too many. */
export function tooManyKeys(): { accepted: false; rejection: ExecutorRejection } {
  const detail = 'as many keys are remembered as can be';
  return { accepted: false, rejection: { code: 'command/too_many_keys', detail } };
}
