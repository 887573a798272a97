import { type EventMetadata, idOf } from '#domain/event';
import { REPEATED_FIELDS } from '#domain/event-types';
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
  const told = listTold(type, streamName, metadata);
  if (told.size === 0) return { ...event, type, data, metadata: stored };
  // The data of an event with such fields are an object.
  const fields = Object.entries(data as Fields);
  const left = fields.filter(([field, value]) => value !== told.get(field));
  return { ...event, type, data: Object.fromEntries(left), metadata: stored };
}

/** The metadata of an event as they were before they were stored. */
export function fromStoredMetadata(metadata: StoredMetadata): EventMetadata {
  const { environment = USUAL_ENVIRONMENT } = metadata;
  return metadata.environment === undefined
    ? { ...metadata, environment }
    : (metadata as EventMetadata);
}

/** The data of an event as they were before they were stored. */
export function fromStoredData(
  type: string,
  data: Fields,
  streamName: string,
  metadata: EventMetadata,
): Fields {
  const told = listTold(type, streamName, metadata);
  return told.size === 0 ? data : { ...Object.fromEntries(told), ...data };
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** What fields of the data say, if they say what place and metadata do. */
function listTold(
  type: string,
  streamName: string,
  { occurredAt, appId, player }: EventMetadata,
): ReadonlyMap<string, string> {
  const fields = REPEATED_FIELDS.get(type);
  if (fields === undefined) return NOTHING;
  const told = new Map<string, string>();
  if (fields.at !== undefined) told.set(fields.at, occurredAt);
  if (fields.id !== undefined) told.set(fields.id, idOf(streamName));
  if (fields.app !== undefined) told.set(fields.app, appId);
  if (fields.player !== undefined && player !== undefined) told.set(fields.player, player);
  return told;
}
