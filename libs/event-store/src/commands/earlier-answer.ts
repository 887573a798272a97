/** Answers before a command is decided: by the earlier use of its key, and by If-Match. */

import type { Aggregate, AnyRejection } from '#domain/decider';
import {
  COMMAND_RECORDED,
  type DomainEvent,
  type Position,
  type RecordedEvent,
} from '#domain/event';
import type { Folded } from '../streams/fold.js';
import type { AggregateReader } from './aggregate-reader.js';
import type { CommandContext } from './command-context.js';

export type ExecutorRejection =
  /** The stream is at none of the revisions that `ifMatch` names. */
  | { readonly code: 'command/precondition_failed'; readonly detail: string }
  /** The stream is not the caller's: to the caller it does not exist (rules/api 10). */
  | { readonly code: 'command/not_found'; readonly detail: string }
  /** The command id was used before, with another input. */
  | { readonly code: 'command/key_reused'; readonly detail: string }
  /** The stream records no further command id (`CommandOptions.recording`). */
  | { readonly code: 'command/too_many_keys'; readonly detail: string };

export interface Accepted<State, Event> {
  readonly accepted: true;
  /** As it stood right after the command, also when the answer is a repetition. */
  readonly state: State;
  /** Of the command's last event; of the stream when there was none. */
  readonly revision: number;
  /** The position of that event, for a consistency token. Null for an empty stream. */
  readonly position: Position | null;
  /** True when the command had been handled before and this is the same answer again. */
  readonly replayed: boolean;
  /** The domain's events that the command gave rise to. */
  readonly events: readonly Event[];
}

export type CommandResult<State, Event, Rejection> =
  | Accepted<State, Event>
  | { readonly accepted: false; readonly rejection: Rejection | ExecutorRejection };

/** The streams that may have the earlier answer to a command with the same id. */
interface Whereabouts<State, Command, Event extends DomainEvent, Rejection extends AnyRejection> {
  readonly streams: AggregateReader;
  readonly aggregate: Aggregate<State, Command, Event, Rejection>;
  readonly streamName: string;
  readonly context: CommandContext;
}

/**
 * The earlier answer to a command with this id. No need to read on first: an answer found in the history stays there.
 */
export async function answerOfEarlier<
  State,
  Command,
  Event extends DomainEvent,
  Rejection extends AnyRejection,
>(
  { context, streams, aggregate, streamName }: Whereabouts<State, Command, Event, Rejection>,
  folded: Folded<State>,
): Promise<CommandResult<State, Event, Rejection> | undefined> {
  const { commandId, commandHash } = context;
  const trace = commandId === undefined ? undefined : folded.commands.get(commandId);
  if (trace === undefined) return undefined;
  if (trace.hash !== commandHash) return KEY_REUSED;
  const events: Event[] = [];
  const onEvent = (event: RecordedEvent) => {
    const isEvent = event.metadata.commandId === commandId && event.type !== COMMAND_RECORDED;
    // The events of this command of this aggregate are this aggregate's events.
    if (isEvent) events.push(event as unknown as Event);
  };
  const toRevision = trace.revision;
  const then = await streams.read(aggregate, streamName, undefined, { toRevision, onEvent });
  return { ...accepted(then, events), replayed: true };
}

/** The refusal of an `ifMatch` that the stream is not at; undefined where it is. */
export function preconditionFailed(
  { ifMatch }: CommandContext,
  { revision }: Folded<unknown>,
): { accepted: false; rejection: ExecutorRejection } | undefined {
  if (ifMatch === undefined || ifMatch.includes(revision)) return undefined;
  const detail = `the revision is ${revision}`;
  return { accepted: false, rejection: { code: 'command/precondition_failed', detail } };
}

export function accepted<State, Event>(
  { state, revision, position }: Folded<State>,
  events: readonly Event[],
): Accepted<State, Event> {
  return { accepted: true, state, revision, position, replayed: false, events };
}

/** The key is not named: its caller knows it, unless it was made of something else that was sent (rules/orders 1). */
const KEY_REUSED = {
  accepted: false,
  rejection: { code: 'command/key_reused', detail: 'the same key came with another input before' },
} as const;

/** Records a command with an idempotency key that changes nothing, for its retry to find (rules/api 13). */
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
