/** What a keyed command leaves that changes nothing: a note, for its retry to find (rules/api 13). */
import { COMMAND_RECORDED, type DomainEvent } from '#domain/event';
import type { ExecutorRejection } from './earlier-answer.js';
import type { CommandContext } from './command-context.js';
import type { Folded } from './fold.js';

export const NOTED: DomainEvent = { type: COMMAND_RECORDED, data: {} };

/**
 * Which notes a stream takes: for commands of callers that nobody vouches for, who could otherwise
 * make a stream grow for ever with ever new keys.
 */
export interface NoteLimits<State> {
  /** Whether a repetition could be answered otherwise later; where it could not, no note is left. */
  readonly isNeeded: (state: State) => boolean;
  /** How many notes a stream takes. The command with one more new key is refused and leaves that key free. */
  readonly max: number;
}

/** What comes of the note of a command that was accepted and changes nothing. */
export function noteFor<State>(
  { commandId }: CommandContext,
  { state, notes }: Folded<State>,
  limits: NoteLimits<State> | undefined,
): 'left' | 'not needed' | 'refused' {
  if (commandId === undefined || limits?.isNeeded(state) === false) return 'not needed';
  return notes < (limits?.max ?? Infinity) ? 'left' : 'refused';
}

/** The refusal of one note too many. */
export function tooManyKeys(): { accepted: false; rejection: ExecutorRejection } {
  const detail = 'as many keys are remembered as can be';
  return { accepted: false, rejection: { code: 'command/too_many_keys', detail } };
}
