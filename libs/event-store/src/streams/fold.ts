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
   * The commands that left events. It is shared by later folds of the same stream, and may so know more than `revision`
   * says: its entries are true all the same.
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

/** Folds the event that comes next in a stream. */
export function foldEvent<State>(
  evolve: (state: State, event: never) => State,
  folded: Folded<State>,
  event: RecordedEvent,
): Folded<State> {
  const { commands } = folded;
  const { commandId, commandHash: hash, occurredAt } = event.metadata;
  const { revision, position } = event;
  if (commandId !== undefined) commands.set(commandId, { hash, revision });
  const lastOccurredAt = occurredAt > folded.lastOccurredAt ? occurredAt : folded.lastOccurredAt;
  const common = { revision, position, lastOccurredAt, commands };
  if (event.type === COMMAND_RECORDED) {
    return { ...common, state: folded.state, recordedCommands: folded.recordedCommands + 1 };
  }
  // A stream of an aggregate holds that aggregate's events: nothing else is ever appended to it.
  const state = evolve(folded.state, event as never);
  return { ...common, state, recordedCommands: folded.recordedCommands };
}

/** Folds stored events onto an earlier state. Gives back the very same object when there are none. */
export async function foldEvents<State>(
  evolve: (state: State, event: never) => State,
  folded: Folded<State>,
  events: AsyncIterable<RecordedEvent>,
  onEvent?: (event: RecordedEvent) => void,
): Promise<Folded<State>> {
  let upTo = folded;
  for await (const event of events) {
    upTo = foldEvent(evolve, upTo, event);
    onEvent?.(event);
  }
  return upTo;
}
