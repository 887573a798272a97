/**
 * The stored form of seals (decision 0038). The event at revision N of a stream of tiles is tile N of its level, so that
 * two sealers that go on from the same tile write the same event or meet at its revision.
 */
import type { Instant, Position } from '#domain/event';
import { eventOfNoApp, type EventToAppend, type VerbatimEvent } from '#event-store';
import { deriveUuid, Fault } from '#platform';
import { HASH_BYTES, TILE_WIDTH } from '#seal';

const SEAL_TILE = 'seal.tile.v1';
const SEAL_CHECKPOINT = 'seal.checkpoint.v1';
const SEAL_COSIGNATURE = 'seal.cosignature.v1';
/** Checkpoints, and the signatures of others on them. */
export const CHECKPOINTS_STREAM = 'seal_checkpoints-ledger';

const ACTOR = 'process:seal_events';

/** The stream of the full tiles of a level: 0 holds the hashes of leaves. */
export function tileStream(level: number): string {
  return `seal_tiles-${level}`;
}

/** An event that was sealed, wherever its store has it. */
export interface SealedEvent {
  /** The stored name without the namespace, as its leaf has it. */
  readonly stream: string;
  /** In the store in which it was sealed: a copy may have others. */
  readonly revision: number;
  readonly eventId: string;
}

/** A full tile. */
export interface StoredTile {
  /** 256 hashes, one behind the other. */
  readonly hashes: Buffer;
  /** The event of the last leaf, at level 0. */
  readonly last: SealedEvent | undefined;
}

/** A tree that the log has signed. */
export interface StoredCheckpoint {
  readonly size: number;
  /** A signed note (C2SP tlog-checkpoint). */
  readonly note: string;
  /** The hashes of the leaves behind the last full tile, one behind the other. */
  readonly tail: Buffer;
  /** The partial tiles of the levels above, from level 1 on: without them a proof would need all full tiles below. */
  readonly rows: readonly Buffer[];
  /** The event of the last leaf. */
  readonly last: SealedEvent;
}

/** The place of a seal in its own store. */
interface Place {
  readonly revision: number;
  readonly position: Position;
  /** By the store's clock: a copy has another one. */
  readonly storedAt: Instant;
  /** By the sealer's clock, which a copy keeps. */
  readonly sealedAt: Instant;
}

/** One more signature on a checkpoint. */
export interface StoredCosignature {
  readonly size: number;
  /** A line of a note, with its line feed. */
  readonly line: string;
}

/** An event of the stream of checkpoints. */
export type StoredSeal = Place &
  (
    | { readonly kind: 'checkpoint'; readonly checkpoint: StoredCheckpoint }
    | { readonly kind: 'cosignature'; readonly cosignature: StoredCosignature }
  );

/** A tile as it goes to the store: the same tile has the same id. */
export function toTileEvent(level: number, index: number, tile: StoredTile): EventToAppend {
  const hashes = tile.hashes.toString('base64');
  const data = { hashes, ...(tile.last !== undefined && { last: tile.last }) };
  return toEvent(SEAL_TILE, data, `seal tile ${level} ${index} ${hashes}`);
}

/** A checkpoint as it goes to the store: the same note has the same id. */
export function toCheckpointEvent({ tail, rows, ...others }: StoredCheckpoint): EventToAppend {
  const [tailText, rowTexts] = [tail.toString('base64'), rows.map((row) => row.toString('base64'))];
  const data = { ...others, tail: tailText, rows: rowTexts };
  return toEvent(SEAL_CHECKPOINT, data, `seal checkpoint ${others.note}`);
}

/** A cosignature as it goes to the store. */
export function toCosignatureEvent({ size, line }: StoredCosignature): EventToAppend {
  return toEvent(SEAL_COSIGNATURE, { size, line }, `seal cosignature ${size} ${line}`);
}

/** @throws Fault `undecodable` where the event is none of a full tile. */
export function readTileEvent(event: VerbatimEvent): StoredTile {
  const { hashes, last } = readData(event, SEAL_TILE);
  const bytes = readBase64(hashes);
  if (bytes.length !== TILE_WIDTH * HASH_BYTES) throw malformed(event);
  return { hashes: bytes, last: last === undefined ? undefined : readSealedEvent(event, last) };
}

/** @throws Fault `undecodable` where the event is none of the stream of checkpoints. */
export function readSealEvent(event: VerbatimEvent): StoredSeal {
  const { revision, position, createdAtMs, type } = event;
  const storedAt = new Date(createdAtMs).toISOString();
  const place = { revision, position, storedAt, sealedAt: readTime(event) };
  if (type === SEAL_COSIGNATURE) {
    const { size, line } = readData(event, SEAL_COSIGNATURE);
    if (typeof size !== 'number' || typeof line !== 'string') throw malformed(event);
    return { kind: 'cosignature', ...place, cosignature: { size, line } };
  }
  const { size, note, tail, rows, last } = readData(event, SEAL_CHECKPOINT);
  if (typeof size !== 'number' || typeof note !== 'string') throw malformed(event);
  const bytes = readBase64(tail);
  if (bytes.length !== (size % TILE_WIDTH) * HASH_BYTES) throw malformed(event);
  const above = readRows(event, size, rows);
  const checkpoint = { size, note, tail: bytes, rows: above, last: readSealedEvent(event, last) };
  return { kind: 'checkpoint', ...place, checkpoint };
}

function toEvent(type: string, data: unknown, source: string): EventToAppend {
  const id = deriveUuid(source);
  return { ...eventOfNoApp(ACTOR, type, data, id), id };
}

type Fields = Readonly<Record<string, unknown>>;

function readData(event: VerbatimEvent, type: string): Fields {
  const data = event.type === type ? parseFields(event.data) : undefined;
  if (data === undefined) throw malformed(event);
  return data;
}

function parseFields(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readTime(event: VerbatimEvent): Instant {
  const { occurredAt } = parseFields(event.metadata) ?? {};
  if (typeof occurredAt !== 'string') throw malformed(event);
  return occurredAt;
}

function readRows(event: VerbatimEvent, size: number, rows: unknown): Buffer[] {
  const read = Array.isArray(rows) ? rows.map(readBase64) : [];
  for (let [level, width] = [0, Math.floor(size / TILE_WIDTH)]; width > 0; level += 1) {
    if (read[level]?.length !== (width % TILE_WIDTH) * HASH_BYTES) throw malformed(event);
    width = Math.floor(width / TILE_WIDTH);
  }
  return read;
}

function readSealedEvent(event: VerbatimEvent, value: unknown): SealedEvent {
  if (!isFields(value)) throw malformed(event);
  const { stream, revision, eventId } = value;
  const isRight = typeof stream === 'string' && typeof revision === 'number';
  if (!isRight || typeof eventId !== 'string') throw malformed(event);
  return { stream, revision, eventId };
}

function readBase64(text: unknown): Buffer {
  return Buffer.from(typeof text === 'string' ? text : '', 'base64');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function malformed({ streamName, revision, type }: VerbatimEvent): Fault {
  const message = `${type} at revision ${revision} of ${streamName} is no seal that this release can read`;
  return new Fault('undecodable', message, { retryable: false });
}
