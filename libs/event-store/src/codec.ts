import type { RecordedEvent as ClientEvent } from '@eventstore/db-client';
import { COMMAND_RECORDED, type EventMetadata, type RecordedEvent } from '#domain/event';
import { type LogPosition, toPosition } from './position.js';
import {
  fromStoredData,
  fromStoredMetadata,
  requireRepeatedFields,
  type StoredMetadata,
} from './stored-form.js';
import { type StoredNames, StreamNames } from './stream-names.js';
import { TIME_INDEX_RECORDED } from './time-index.js';
import { UndecodableEvent, type UndecodableItem, type UndecodableReason } from './undecodable.js';
import { chainUpcasters, type Upcaster, type UpcasterChain, UPCASTERS } from './upcasters.js';

/** The event that gives a ledger its identity (see namespaces.ts). */
export const NAMESPACE_OPENED = 'namespace.opened.v1';
/** The event that divides it anew. */
export const NAMESPACE_REPARTITIONED = 'namespace.repartitioned.v1';
/**
 * The event that says that all before it was restored from a backup, of every ledger of the store. The embedded
 * event store writes it as well (`restore`), and knows the name by itself.
 */
export const STORE_RESTORED = 'store.restored.v1';

/** The event that opens, in another store, a ledger that was copied there. */
export const NAMESPACE_MOVED = 'namespace.moved.v1';

/** What every program knows. */
const OWN_TYPES = [
  ...[COMMAND_RECORDED, NAMESPACE_OPENED, NAMESPACE_REPARTITIONED, NAMESPACE_MOVED],
  STORE_RESTORED,
  TIME_INDEX_RECORDED,
];

/** `context.name.vN`: what every stored type name of ours looks like. */
const VERSIONED_NAME = /^(.+)\.v([1-9]\d*)$/;

/** Stored events to events. The way back is `toStoredForm`, and JSON.stringify of plain data. */
export interface Codec {
  /** @throws UndecodableEvent */
  decode(event: ClientEvent, position: LogPosition | undefined): RecordedEvent;
}

export interface CodecOptions {
  /** How the names of streams are stored. */
  readonly names?: StoredNames;
  /**
   * The newest type names that this program knows. Without it every well-formed name is
   * accepted, and the reader has to know the type.
   */
  readonly knownTypes?: Iterable<string>;
  readonly upcasters?: readonly Upcaster[];
}

/** @throws Defect when the upcasters do not form chains, or start from a name that has no row any more. */
export function createCodec(options: CodecOptions = {}): Codec {
  const { upcasters = UPCASTERS } = options;
  for (const { from } of upcasters) requireRepeatedFields(from);
  const chain = chainUpcasters(upcasters);
  const known = options.knownTypes && new Set([...OWN_TYPES, ...options.knownTypes]);
  const { names = new StreamNames() } = options;
  const judged = new Map<string, { type: string; problem: UndecodableReason | undefined }>();

  const judge = (stored: string) => {
    let judgement = judged.get(stored);
    if (judgement === undefined) {
      const type = chain.newest(stored);
      judgement = { type, problem: findProblem(type, known) };
      // Only names that we know are remembered, so that strangers cannot fill the memory.
      if (judgement.problem === undefined && known !== undefined) judged.set(stored, judgement);
    }
    return judgement;
  };

  return {
    decode: (event, position) => {
      const { type, problem } = judge(event.type);
      const streamName = names.fromStored(event.streamId);
      if (problem !== undefined) throw undecodable(event, streamName, position, problem);
      const { metadata: stored } = event;
      // The client hands over JSON that it cannot parse as text.
      const isPayload = event.isJson && typeof event.data === 'object' && isPresent(event.data);
      if (!isPayload || !isEventMetadata(stored)) {
        throw undecodable(event, streamName, position, 'malformed');
      }
      const metadata = fromStoredMetadata(stored);
      return {
        id: event.id,
        type,
        data: readData(chain, event, metadata, { streamName, position }),
        metadata,
        streamName,
        revision: Number(event.revision),
        position: readPosition(event, position),
      };
    },
  };
}

/** @throws UndecodableEvent when an upcaster throws. */
function readData(
  chain: UpcasterChain,
  event: ClientEvent,
  metadata: EventMetadata,
  at: { readonly streamName: string; readonly position: LogPosition | undefined },
): unknown {
  // Its reader has seen that they are an object, which no one else has.
  const stored = event.data as Record<string, unknown>;
  const data = fromStoredData(event.type, stored, at.streamName, metadata);
  try {
    return chain.upcast(event.type, data, metadata);
  } catch (error) {
    // Thrown as it is, it would end the subscription of every stream, again and again.
    throw undecodable(event, at.streamName, at.position, 'upcaster_failed', error);
  }
}

function findProblem(
  type: string,
  known: ReadonlySet<string> | undefined,
): UndecodableReason | undefined {
  const parts = VERSIONED_NAME.exec(type);
  if (parts === null) return 'unknown_type';
  if (known === undefined || known.has(type)) return undefined;
  const name = parts[1] ?? '';
  for (let version = Number(parts[2]) - 1; version > 0; version -= 1) {
    if (known.has(`${name}.v${version}`)) return 'newer_version';
  }
  return 'unknown_type';
}

/** The client's types deny it, but JSON may be `null`, too. */
function isPresent(data: unknown): boolean {
  return data !== null;
}

/** The fields that give an event its time and partition; its readers check the others. */
function isEventMetadata(metadata: unknown): metadata is StoredMetadata {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { appId, occurredAt } = metadata as Partial<StoredMetadata>;
  return typeof appId === 'string' && typeof occurredAt === 'string';
}

function undecodable(
  event: ClientEvent,
  streamName: string,
  position: LogPosition | undefined,
  reason: UndecodableReason,
  cause?: unknown,
): UndecodableEvent {
  const item: UndecodableItem = {
    undecodable: true,
    id: event.id,
    type: event.type,
    streamName,
    revision: Number(event.revision),
    position: readPosition(event, position),
    reason,
    ...(isEventMetadata(event.metadata) && { appId: event.metadata.appId }),
  };
  return new UndecodableEvent(item, cause);
}

function readPosition(event: ClientEvent, position: LogPosition | undefined): string {
  return toPosition(event.position ?? position ?? { commit: 0n, prepare: 0n });
}
