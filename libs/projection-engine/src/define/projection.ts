import type { RecordedEvent } from '#domain/event';
import type { DocumentKey, DocumentReads } from './document-reads.js';
import type { IndexEntry } from './index-entry.js';
import type { StateCodec } from './field-codec.js';
import type { Recipe } from './recipe.js';

/**
 * A read model: one question, with its documents, the lists in which they are found, and the queries by
 * which it is asked. Pure: a rebuild runs it over all of history, and rebuilding never speaks
 * (rules/events 4).
 */
export interface Projection<State, Queries = unknown> {
  /** The question it answers; part of its documents' keys, and no other projection has it. */
  readonly name: string;
  /**
   * Raise it when documents or lists change their shape: this read model is then built anew beside the
   * old one. New event types do the same by themselves.
   */
  readonly version: number;
  /**
   * The version with which the order of its lists last changed: raise it where members or scores change their form. A page
   * token of another order is refused, since its place in the list means nothing any more (rules/api 16). 1 unless given.
   */
  readonly orderedSince?: number;
  /** The categories of the streams that it reads; others may read them, too. */
  readonly categories: readonly string[];
  /** Every event type that it applies, in its newest version. */
  readonly eventTypes: readonly string[];
  /** Types of its categories that it knows and leaves out. Any other type parks the stream. */
  readonly ignoredTypes?: readonly string[];
  readonly documents: Documents<State>;
  /** How states are stored; with all their names, unless given. */
  readonly codec?: StateCodec<State> | undefined;
  readonly initialState: State;
  /** The state after one event of those types; events of a stream come in order and without gaps. */
  project(before: State, event: RecordedEvent): State;
  /** Where the document is found, given its state, and the revision that its event was the last of. */
  indexes(id: string, state: State, revision: number): readonly IndexEntry[];
  /**
   * The names of lists of which this version means to have another number of entries than the one before: the gate does
   * not compare them.
   */
  readonly changedLists?: readonly string[];
  /** How the domain alone makes the same documents and entries, to verify the read model by. */
  readonly recipe?: Recipe | undefined;
  /** How others ask for it. */
  queries(read: DocumentReads<State>): Queries;
}

/**
 * The subject of a document, which decides its partition:
 * - `stream`: one stream, under its id; its revision orders the events. Of streams of several categories the ids have
 *   to say which: `idsDiffer` promises that no two of them meet;
 * - `player`: one player, in any of their streams, all of which lie in one partition;
 * - `key`: whatever the key says. Its events come from many partitions, each of which keeps a part, and
 *   `merge` makes one of them when they are read.
 *
 * Where streams meet, the position orders the events. An event without a key changes nothing.
 */
export type Documents<State> =
  | { readonly of: 'stream'; readonly idsDiffer?: true }
  | { readonly of: 'player'; readonly key: (event: RecordedEvent) => DocumentKey | undefined }
  | {
      readonly of: 'key';
      readonly key: (event: RecordedEvent) => DocumentKey | undefined;
      merge(parts: readonly State[]): State;
    };
