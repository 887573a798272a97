import type { Aggregate, AnyRejection } from '#domain/decider';
import { COMMAND_NOTED, type Instant, type RecordedFact } from '#domain/fact';
import { KNOWN_FACT_TYPES } from '#domain/known-facts';

/**
 * A read model: one document for each stream of a category, and the lists in which it is found.
 * Pure: a rebuild runs it over all of history, and rebuilding never speaks (architecture, rule 4).
 */
export interface Projection<State> {
  /** The question it answers; part of the documents' keys. */
  readonly name: string;
  /**
   * Raise it when documents or lists change their shape: the read models are then built anew beside
   * the old ones. New fact types do the same by themselves.
   */
  readonly version: number;
  /** The category of the streams that it folds, and which are its documents' ids. */
  readonly category: string;
  /** Every fact type that it knows, in its newest version. Any other parks the stream. */
  readonly factTypes: readonly string[];
  /** What keeps its facts in one lane: a player's things stay together, an app's catalog too. */
  readonly laneBy: 'app' | 'player';
  readonly initialState: State;
  /** The state after one fact of the stream; facts come in order and without gaps. */
  project(before: State, fact: RecordedFact): State;
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
 * The entry of a list that is paged newest first: by creation, then id (decisions 7). The time is
 * written out, since ids that are derived from a due date sort by that date.
 */
export function byCreation(index: IndexName, createdAt: Instant, id: string): IndexEntry {
  return { index, member: `${createdAt} ${id}`, score: 0 };
}

/** A projection whose documents are the states that the domain itself folds. */
export function foldedBy<State, Command, Event, Rejection extends AnyRejection>(
  aggregate: Aggregate<State, Command, Event, Rejection>,
): Pick<Projection<State>, 'category' | 'factTypes' | 'initialState' | 'project'> {
  const { category, decider } = aggregate;
  const { initialState, evolve } = decider;
  return {
    category,
    factTypes: KNOWN_FACT_TYPES.filter((type) => type.startsWith(`${category}.`)),
    initialState,
    project: (before, fact) => {
      if (fact.type === COMMAND_NOTED) return before;
      // The caller gives only facts of the types that the projection names, which are the events'.
      return evolve(before, fact as Event);
    },
  };
}
