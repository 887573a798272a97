import { generateKeyPairSync } from 'node:crypto';
import type { LedgerStore, VerbatimEvent } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import {
  CompactRange,
  hashLeaf,
  leafLine,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  readSigningKey,
} from '#seal';
import { hasLeaf, SealingKeys, SealReader } from '#sealing';
import { added, RestartableStore } from '../event-store/support.js';

const HASH_BYTES = 32;

/** A private key as a file has it. */
export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** A ledger in a store of its own, and a key to seal it with. */
export class SealedLedger {
  readonly key = makeKey();

  private constructor(
    readonly server: RestartableStore,
    readonly store: LedgerStore,
  ) {}

  static async start(): Promise<SealedLedger> {
    const server = await RestartableStore.start();
    const store = connectEventStore(server.connectionString);
    await store.namespaces.open(1);
    return new SealedLedger(server, store);
  }

  get sealing() {
    return { store: this.store, keys: new SealingKeys({ key: this.key }), originHost: 'test' };
  }

  /** Appends events to streams of their own, in one append each. */
  add(count: number, name: string, perStream = 100): Promise<void> {
    return addEvents(this.store, count, name, perStream);
  }

  async remove(): Promise<void> {
    await this.store.dispose();
    await this.server.remove();
  }
}

/** Appends events to streams of their own, in one append each. */
export async function addEvents(
  store: LedgerStore,
  count: number,
  name: string,
  perStream = 100,
): Promise<void> {
  for (let from = 0; from < count; from += perStream) {
    const events = Array.from({ length: Math.min(perStream, count - from) }, () => added());
    await store.append(`counter-${name}${from}`, 'no_stream', events);
  }
}

/** The hashes of all events that have a leaf, in the order of the store. */
export async function readLeafHashes(store: LedgerStore): Promise<string[]> {
  const hashes: string[] = [];
  const end = new AbortController();
  const { namespace } = store.names;
  for await (const item of store.verbatim.follow('', `^${namespace}\\.`, end.signal)) {
    if (item.kind === 'caught-up') break;
    if (item.kind !== 'event') continue;
    const isLeaf = hasLeaf(item.event.streamName.slice(namespace.length + 1));
    if (isLeaf) hashes.push(toLeafHash(item.event, namespace));
  }
  end.abort();
  return hashes;
}

function toLeafHash({ streamName, id, ...event }: VerbatimEvent, namespace: string): string {
  const name = streamName.slice(namespace.length + 1);
  return hashLeaf(leafLine({ ...event, streamName: name, eventId: id })).toString('hex');
}

/** The hashes of the leaves in the order in which they were sealed, out of tiles and the tail of the last checkpoint. */
export async function readSealedHashes(store: LedgerStore): Promise<string[]> {
  const reader = new SealReader(store);
  const last = await reader.findLast();
  if (last === undefined) return [];
  const { size, tail } = last.checkpoint;
  const tiles = await reader.readTiles(0, 0, Math.floor(size / 256));
  const bytes = Buffer.concat([...tiles.map(({ hashes }) => hashes), tail]);
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.toString('hex', at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** Opens all checkpoints with a key. @returns their sizes. @throws Error for a root that is not that of the sealed leaves. */
export async function verifyCheckpoints(store: LedgerStore, pem: string): Promise<number[]> {
  const leaves = (await readSealedHashes(store)).map((hex) => Buffer.from(hex, 'hex'));
  const sizes: number[] = [];
  for await (const seal of new SealReader(store).list()) {
    if (seal.kind !== 'checkpoint') continue;
    const { note } = seal.checkpoint;
    const { origin } = parseCheckpoint(parseNote(note).text);
    const { size, root } = openCheckpoint(note, [readSigningKey(origin, pem)]);
    const expected = CompactRange.of(leaves.slice(0, size)).root();
    if (!root.equals(expected)) throw new Error(`the checkpoint of ${size} has another root`);
    sizes.push(size);
  }
  return sizes;
}
