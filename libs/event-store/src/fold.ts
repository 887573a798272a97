import { COMMAND_RECORDED, type Instant, type Position, type RecordedEvent } from '#domain/event';

/** A stream folded up to a revision. States are never changed in place, so it can be shared. */
export interface Folded<State> {
  readonly state: State;
  /** The last event's; -1 before the first. */
  readonly revision: number;
  readonly position: Position | null;
  /** An event's time is never before the one before it in its stream (rules/events 3). */
  readonly lastOccurredAt: Instant;
  /**
   * The commands that left events. It is shared by later folds of the same stream, and may so know
   * more than `revision` says: what it says is true all the same.
   */
  readonly commands: Map<string, CommandTrace>;
  /** How many of the events only record a command. */
  readonly recordedCommands: number;
}

interface CommandTrace {
  readonly hash: string | undefined;
  /** Of the last event that the command gave rise to. */
  readonly revision: number;
}

/** A stream before its first event. */
export function unfolded<State>(initialState: State): Folded<State> {
  return {
    state: initialState,
    revision: -1,
    position: null,
    lastOccurredAt: '',
    commands: new Map(),
    recordedCommands: 0,
  };
}

/** Folds stored events onto what was folded before. Gives back the very same object when there are none. */
export async function foldEvents<State>(
  evolve: (state: State, event: never) => State,
  folded: Folded<State>,
  events: AsyncIterable<RecordedEvent>,
  onEvent?: (event: RecordedEvent) => void,
): Promise<Folded<State>> {
  const { commands } = folded;
  let { state, revision, position, lastOccurredAt, recordedCommands } = folded;
  for await (const event of events) {
    // A stream of an aggregate holds that aggregate's events: nothing else is ever appended to it.
    if (event.type === COMMAND_RECORDED) recordedCommands += 1;
    else state = evolve(state, event as never);
    const { commandId, commandHash, occurredAt } = event.metadata;
    if (commandId !== undefined) {
      commands.set(commandId, { hash: commandHash, revision: event.revision });
    }
    if (occurredAt > lastOccurredAt) lastOccurredAt = occurredAt;
    ({ revision, position } = event);
    onEvent?.(event);
  }
  return revision === folded.revision
    ? folded
    : { state, revision, position, lastOccurredAt, commands, recordedCommands };
}
