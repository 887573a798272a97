import type { Aggregate, AnyRejection } from '#domain/decider';
import type { Instant, RecordedEvent } from '#domain/event';
import { EVENT_TYPES } from '#domain/event-types';

/**
 * A read model: one document for each stream of a category, and the lists in which it is found.
 * Pure: a rebuild runs it over all of history, and rebuilding never speaks (rules/events 4).
 */
export interface Projection<State> {
  /** The question it answers; part of the documents' keys. */
  readonly name: string;
  /**
   * Raise it when documents or lists change their shape: the read models are then built anew beside
   * the old ones. New event types do the same by themselves.
   */
  readonly version: number;
  /** The category of the streams that it folds, and which are its documents' ids. */
  readonly category: string;
  /** Every event type that it knows, in its newest version. Any other parks the stream. */
  readonly eventTypes: readonly string[];
  readonly initialState: State;
  /** The state after one event of those types; events come in order and without gaps. */
  project(before: State, event: RecordedEvent): State;
  /** Where the document is found, given its state. */
  indexes(id: string, state: State): readonly IndexEntry[];
}

/** The name of a list and what it is a list of: `['payments', subscriptionId]`. */
export type IndexName = readonly [name: string, ...of: string[]];

export interface IndexEntry {
  readonly index: IndexName;
  /** Within one score, members stand in the order of their text. */
  readonly member: string;
  /** Milliseconds, in lists that are asked by time; 0 in all others. */
  readonly score: number;
}

/** A filter that is not set, in the name of a list: no id and no status is empty. */
export const ANY = '';

/**
 * The entry of a list that is paged newest first: by creation, then id (rules/api 16). The time is
 * written out, since ids that are derived from a due date sort by that date.
 */
export function byCreation(index: IndexName, createdAt: Instant, id: string): IndexEntry {
  return { index, member: `${createdAt} ${id}`, score: 0 };
}

/** A projection whose documents are the states that the domain itself folds. */
export function foldedBy<State, Command, Event, Rejection extends AnyRejection>(
  aggregate: Aggregate<State, Command, Event, Rejection>,
): Pick<Projection<State>, 'category' | 'eventTypes' | 'initialState' | 'project'> {
  const { category, decider } = aggregate;
  const { initialState, evolve } = decider;
  return {
    category,
    eventTypes: EVENT_TYPES.filter((type) => type.startsWith(`${category}.`)),
    initialState,
    // It is given only events of the types that the projection names, which are the aggregate's.
    project: evolve as (before: State, event: RecordedEvent) => State,
  };
}
