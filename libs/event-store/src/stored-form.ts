import { type EventMetadata, idOf } from '#domain/event';
import { REPEATED_FIELDS, type RepeatedFields } from '#domain/event-types';
import { assertDefect } from '#platform';
import type { EventToAppend } from './event-store.js';

type Fields = Readonly<Record<string, unknown>>;

/** The environment of an event whose metadata name none. */
const USUAL_ENVIRONMENT = 'production';

/** The metadata as they are stored: the environment is named where it is not the usual one. */
export type StoredMetadata = Omit<EventMetadata, 'environment'> &
  Partial<Pick<EventMetadata, 'environment'>>;

/** An event as it goes over to the store. */
export type StoredForm = Omit<EventToAppend, 'metadata'> & { readonly metadata: StoredMetadata };

/**
 * An event as it is stored: its data leave out what its stream and its metadata say (rules/events 10).
 * Storing it and reading it again gives the same event.
 */
export function toStoredForm(
  streamName: string,
  { type, data, metadata, ...event }: EventToAppend,
): StoredForm {
  const { environment, ...others } = metadata;
  const stored = environment === USUAL_ENVIRONMENT ? others : metadata;
  const repeated = REPEATED_FIELDS.get(type);
  if (repeated === undefined) return { ...event, type, data, metadata: stored };
  const told = listTold(repeated, streamName, metadata);
  // The data of an event with such fields are an object.
  const fields = Object.entries(data as Fields);
  const left = fields.filter(([field, value]) => value !== told.get(field));
  return { ...event, type, data: Object.fromEntries(left), metadata: stored };
}

/** The metadata of an event as they were before they were stored: what was parsed is filled up. */
export function fromStoredMetadata(metadata: StoredMetadata): EventMetadata {
  (metadata as Mutable<StoredMetadata>).environment ??= USUAL_ENVIRONMENT;
  return metadata as EventMetadata;
}

/**
 * A name without a row would be read as one whose data were stored whole, and its upcaster would miss what
 * was left out.
 *
 * @throws Defect when the name has no row.
 */
export function requireRepeatedFields(type: string): void {
  assertDefect(REPEATED_FIELDS.has(type), `what ${type} repeats is not known: keep its row`);
}

/**
 * The data of an event as they were before they were stored: what was parsed is filled up, since a copy of
 * each event is what a rebuild would wait for.
 */
export function fromStoredData(
  type: string,
  data: Record<string, unknown>,
  streamName: string,
  { occurredAt, appId, player }: EventMetadata,
): unknown {
  const fields = REPEATED_FIELDS.get(type);
  if (fields === undefined) return data;
  const { id, at, app, player: ofPlayer } = fields;
  if (at !== undefined) data[at] ??= occurredAt;
  if (id !== undefined) data[id] ??= idOf(streamName);
  if (app !== undefined) data[app] ??= appId;
  if (ofPlayer !== undefined && player !== undefined) data[ofPlayer] ??= player;
  return data;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** What fields of the data say, if they say what place and metadata do. */
function listTold(
  { id, at, app, player: ofPlayer }: RepeatedFields,
  streamName: string,
  { occurredAt, appId, player }: EventMetadata,
): ReadonlyMap<string | undefined, string | undefined> {
  return new Map([
    [at, occurredAt],
    [id, idOf(streamName)],
    [app, appId],
    [ofPlayer, player],
  ]);
}
