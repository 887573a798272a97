import { COMMAND_RECORDED, type RecordedEvent } from '#domain/event';
import type { StoredEvent } from './stored-event.js';
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
/** The event that closes a ledger that goes on in another store (decision 0014). */
export const NAMESPACE_MOVED_AWAY = 'namespace.moved_away.v1';

/** The event types of every program. */
const OWN_TYPES = [
  ...[COMMAND_RECORDED, NAMESPACE_OPENED, NAMESPACE_REPARTITIONED, NAMESPACE_MOVED],
  ...[NAMESPACE_MOVED_AWAY, STORE_RESTORED],
  TIME_INDEX_RECORDED,
];

/** The stores' name of JSON. */
const JSON_TYPE = 'application/json';

/** `context.name.vN`: the form of every stored type name of ours. */
const VERSIONED_NAME = /^(.+)\.v([1-9]\d*)$/;

/** Stored events to events. The way back is `toStoredForm`, and JSON.stringify of plain data. */
export class Codec {
  readonly #chain: UpcasterChain;
  readonly #known: ReadonlySet<string> | undefined;
  readonly #names: StoredNames;
  readonly #judged = new Map<string, { type: string; problem: UndecodableReason | undefined }>();

  /** @throws Defect when the upcasters do not form chains, or start from a name that has no row any more. */
  constructor({ knownTypes, names = new StreamNames(), upcasters = UPCASTERS }: CodecOptions) {
    for (const { from } of upcasters) requireRepeatedFields(from);
    this.#chain = chainUpcasters(upcasters);
    this.#known = knownTypes && new Set([...OWN_TYPES, ...knownTypes]);
    this.#names = names;
  }

  /** @throws UndecodableEvent */
  decode(stored: StoredEvent): RecordedEvent {
    const { id, revision, position } = stored;
    const { type, problem } = this.#judge(stored.type);
    const streamName = this.#names.fromStored(stored.streamName);
    const refuse = (reason: UndecodableReason, cause?: unknown) =>
      undecodable(stored, streamName, reason, cause);
    if (problem !== undefined) throw refuse(problem);
    const payload = stored.contentType === JSON_TYPE ? parseJson(stored.data) : undefined;
    const storedMetadata = parseJson(stored.metadata);
    if (!isObject(payload) || !isEventMetadata(storedMetadata)) throw refuse('malformed');
    const metadata = fromStoredMetadata(storedMetadata);
    const read = fromStoredData(stored.type, payload, streamName, metadata);
    try {
      const data = this.#chain.upcast(stored.type, read, metadata);
      return { id, type, data, metadata, streamName, revision, position };
    } catch (error) {
      // Thrown as it is, it would end the subscription of every stream, again and again.
      throw refuse('upcaster_failed', error);
    }
  }

  #judge(stored: string) {
    let judgement = this.#judged.get(stored);
    if (judgement === undefined) {
      const type = this.#chain.newest(stored);
      judgement = { type, problem: findProblem(type, this.#known) };
      // Only names that we know are remembered, so that strangers cannot fill the memory.
      const isKnown = judgement.problem === undefined && this.#known !== undefined;
      if (isKnown) this.#judged.set(stored, judgement);
    }
    return judgement;
  }
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

export const createCodec = (options: CodecOptions = {}) => new Codec(options);

/** The value of the bytes; undefined where they are no JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(asBuffer(bytes).toString());
  } catch {
    return undefined;
  }
}

/** The store's answers have buffers already. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields that give an event its time and partition; its readers check the others. */
function isEventMetadata(metadata: unknown): metadata is StoredMetadata {
  if (!isObject(metadata)) return false;
  const { appId, occurredAt } = metadata as Partial<StoredMetadata>;
  return typeof appId === 'string' && typeof occurredAt === 'string';
}

function undecodable(
  { id, type, revision, position, metadata }: StoredEvent,
  streamName: string,
  reason: UndecodableReason,
  cause: unknown,
): UndecodableEvent {
  const known = parseJson(metadata);
  const item: UndecodableItem = {
    ...{ undecodable: true, id, type, streamName, revision, position, reason },
    ...(isEventMetadata(known) && { appId: known.appId }),
  };
  return new UndecodableEvent(item, cause);
}
