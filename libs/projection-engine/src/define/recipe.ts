import { COMMAND_RECORDED, type RecordedEvent } from '#domain/event';
import type { IndexEntry, IndexName } from './index-entry.js';

/**
 * A second way from events to a document and its list entries, by the domain alone: a read model is verified by it.
 * It shares nothing with the projection that it stands beside, so that no mistake is made in both.
 */
export type Recipe<Folded = unknown> = StreamRecipe<Folded> | ManyStreamsRecipe<Folded>;

/** The document and the list entries that a read model has to hold. */
export interface Rendered {
  /** Values that JSON has; undefined where there is no document. */
  readonly state: unknown;
  readonly entries: readonly IndexEntry[];
}

interface Rendering<Folded> {
  readonly initial: Folded;
  /** Folds the next event. Notes of commands (`COMMAND_RECORDED`) are not given to it. */
  fold(before: Folded, event: RecordedEvent): Folded;
  /** @param revision of the last event; where streams meet, the number of events, less one. */
  render(id: string, folded: Folded, revision: number): Rendered;
  /** The id of the document to which an entry of a list leads. Total: entries may have been made by hand. */
  findId(index: IndexName, member: string): string;
}

/** Of documents of one stream. */
export interface StreamRecipe<Folded = unknown> extends Rendering<Folded> {
  readonly of: 'stream';
  streamName(id: string): string;
}

/** Of documents in which streams meet: each partition has one under its id, or none. */
export interface ManyStreamsRecipe<Folded = unknown> extends Rendering<Folded> {
  readonly of: 'many';
  /** The id of the document that an event changes; undefined where it changes none. */
  find(event: RecordedEvent): string | undefined;
}

/** Folds the next event of a document, which may be the note of a command. */
export function foldNext<Folded>(
  recipe: Pick<Rendering<Folded>, 'fold'>,
  before: Folded,
  event: RecordedEvent,
): Folded {
  return event.type === COMMAND_RECORDED ? before : recipe.fold(before, event);
}

/** The document of a stream after its first events. @param events from the first one on; one at least. */
export function renderStream<Folded>(
  recipe: StreamRecipe<Folded>,
  id: string,
  events: readonly RecordedEvent[],
): Rendered {
  let { initial: folded } = recipe;
  for (const event of events) folded = foldNext(recipe, folded, event);
  return recipe.render(id, folded, events.length - 1);
}
