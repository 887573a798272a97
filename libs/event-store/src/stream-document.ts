import type { Instant } from '#domain/event';
import type { UnreadCommands } from './unread-commands.js';
import { type Folded, unfolded } from './fold.js';

/**
 * What something beside the stream knows of it (decision 0151). It may be late, or tell of events that the store has
 * lost: an append is decided by it, which the expected revision guards, and no other answer is given by it.
 */
export interface StreamDocument<State = unknown> {
  readonly state: State;
  /** Of the last event that it knows: there is one. */
  readonly revision: number;
  readonly lastOccurredAt: Instant;
  readonly commands: UnreadCommands;
}

/** Finds what is known of a stream that memory does not have. It is bounded in time, and throws nothing. */
export type FindDocument = (category: string, id: string) => Promise<StreamDocument | undefined>;

/** A document in the place of the events that it knows. */
export function foldedInto<State>(document: StreamDocument<State>): Folded<State> {
  const { state, revision, lastOccurredAt, commands } = document;
  return { ...unfolded(state), revision, lastOccurredAt, unread: commands };
}
