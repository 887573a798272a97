import { type EventMetadata, idOf } from '#domain/event';
import { REPEATED_FIELDS, type RepeatedFields } from '#domain/event-types';
import { assertDefect } from '#platform';
import type { EventToAppend } from './event-store.js';

type Fields = Readonly<Record<string, unknown>>;

/** The environment of an event whose metadata name none. */
const USUAL_ENVIRONMENT = 'production';

/** The metadata as they are stored: the environment is named where it is not the usual one. */
export type StoredMetadata = Omit<EventMetadata, 'environment'> & {
  readonly environment?: EventMetadata['environment'] | undefined;
};

/** An event as it goes over to the store. */
export type StoredForm = Omit<EventToAppend, 'metadata'> & { readonly metadata: StoredMetadata };

/**
 * An event in its stored form: its data leave out fields that its stream and its metadata say (rules/events 10).
 * Storing it and reading it again gives the same event.
 */
export function toStoredForm(
  streamName: string,
  { id, type, data, metadata }: EventToAppend,
): StoredForm {
  const isUsual = metadata.environment === USUAL_ENVIRONMENT;
  // JSON has no undefined, and V8 takes a microsecond to copy all fields but one.
  const stored = isUsual ? { ...metadata, environment: undefined } : metadata;
  const repeated = REPEATED_FIELDS.get(type);
  if (repeated === undefined) return { id, type, data, metadata: stored };
  // The data of an event with such fields are an object.
  const left = leaveOut(repeated, data as Fields, streamName, metadata);
  return { id, type, data: left, metadata: stored };
}

/** The metadata of an event as they were before they were stored: the parsed object is filled up. */
export function fromStoredMetadata(metadata: StoredMetadata): EventMetadata {
  (metadata as Mutable<StoredMetadata>).environment ??= USUAL_ENVIRONMENT;
  return metadata as EventMetadata;
}

/**
 * A name without a row would be read as one whose data were stored whole, and its upcaster would miss the omitted
 * fields.
 *
 * @throws Defect when the name has no row.
 */
export function requireRepeatedFields(type: string): void {
  assertDefect(REPEATED_FIELDS.has(type), `what ${type} repeats is not known: keep its row`);
}

/**
 * The data of an event as they were before they were stored: the parsed object is filled up, since a rebuild would wait
 * for a copy of each event.
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

/** The rest of the data where stream and metadata say the same. */
function leaveOut(
  { id, at, app, player: ofPlayer }: RepeatedFields,
  data: Fields,
  streamName: string,
  { occurredAt, appId, player }: EventMetadata,
): Fields {
  const isTold = (field: string, value: unknown) => {
    if (field === at) return value === occurredAt;
    if (field === id) return value === idOf(streamName);
    if (field === app) return value === appId;
    return field === ofPlayer && value === player;
  };
  const left: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(data)) if (!isTold(field, value)) left[field] = value;
  return left;
}

/** An object that is being put together, field by field. */
export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
