import { type LedgerStore, RevisionConflict, type VerbatimEvent } from '#event-store';
import { assertDefect } from '#platform';
import { eventHasLeaf, toLogLeaf } from './log-leaves.js';
import { chooseOrigin } from './origin.js';
import { hashKey, type SealedLog } from './sealed-log.js';
import type { SealingKeys } from './sealing-keys.js';
import { SealReader } from './seal-reader.js';
import {
  CHECKPOINTS_STREAM,
  type SealedEvent,
  type StoredCheckpoint,
  type StoredTile,
  tileStream,
  toCheckpointEvent,
  toTileEvent,
} from './stored-seals.js';

/** Full tiles that are appended at once: each is eleven kilobytes, and an append of the ledger holds one megabyte. */
const TILES_APPENDED = 16;

/**
 * Gives events their leaves and writes tiles and checkpoints. All that it writes follows from the log: another sealer
 * writes the same, or one of both meets the other at a revision and begins again.
 */
export class SealWriter {
  readonly #reader: SealReader;
  readonly #tiles: number[];
  #checkpointsRevision: number;
  #last: SealedEvent | undefined;
  #pending: { level: number; tile: StoredTile }[] = [];
  #writing: Promise<unknown> = Promise.resolve();
  #size: number;
  #checkpointSize: number;
  #checkpointAtMs: number;
  #isRotation: boolean;

  /** @throws SettingRefused where the keys are others than those of the last checkpoint. */
  constructor(
    private readonly store: LedgerStore,
    private readonly log: SealedLog,
    private readonly keys: SealingKeys,
    private readonly originHost: string,
  ) {
    const { checkpoint, tiles, checkpointsRevision, last, assembler } = log;
    this.#reader = new SealReader(store);
    this.#tiles = [...tiles];
    this.#checkpointsRevision = checkpointsRevision;
    this.#last = last;
    this.#size = assembler.range().size;
    this.#checkpointSize = checkpoint?.checkpoint.size ?? 0;
    this.#checkpointAtMs = checkpoint === undefined ? 0 : Date.parse(checkpoint.storedAt);
    this.#isRotation = checkpoint !== undefined && keys.requireKeyOf(checkpoint.checkpoint);
  }

  /** How many leaves there are, in the store or on their way to it. */
  get size(): number {
    return this.#size;
  }

  /** The last checkpoint: its size (0 where there is none), and when it was stored, in milliseconds since 1970. */
  get checkpoint(): { readonly size: number; readonly atMs: number } {
    return { size: this.#checkpointSize, atMs: this.#checkpointAtMs };
  }

  /** Whether a checkpoint would say anything new: about leaves, or about the key. */
  get hasNews(): boolean {
    return this.#size > this.#checkpointSize || this.#isRotation;
  }

  /** Whether so many tiles wait to be written that `flush` should be called. */
  get isFull(): boolean {
    return this.#pending.length >= TILES_APPENDED;
  }

  /** Adds the leaf of an event that has one and has none yet. */
  add(event: VerbatimEvent): void {
    const { namespace } = this.store.names;
    if (!eventHasLeaf(event, namespace)) return;
    const { stream, revision, eventId, hash } = toLogLeaf(event, namespace);
    const { known } = this.log;
    if (known.size > 0 && known.has(hashKey(hash))) return;
    this.#last = { stream, revision, eventId };
    this.#size += 1;
    for (const { level, hashes } of this.log.assembler.append(hash)) {
      this.#pending.push({ level, tile: { hashes, last: level === 0 ? this.#last : undefined } });
    }
  }

  /** Writes the full tiles. @throws RevisionConflict where another sealer wrote meanwhile; Fault of the store. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#writeTiles());
  }

  /** Signs all leaves that were added so far. @throws as `flush` does. */
  sign(): Promise<void> {
    if (!this.hasNews) return Promise.resolve();
    const range = this.log.assembler.range();
    const [tail = Buffer.alloc(0), ...rows] = this.log.assembler.partialTiles();
    const last = this.#last;
    assertDefect(last !== undefined, 'a tree with leaves has a last event');
    const isRotation = this.#isRotation;
    return this.#inTurn(async () => {
      await this.#writeTiles();
      const origin = await chooseOrigin(this.store, this.log.checkpoint, this.originHost);
      const note = this.keys.sign({ origin, size: range.size, root: range.root() }, isRotation);
      await this.#writeCheckpoint({ size: range.size, note, tail, rows, last });
    });
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(write);
    this.#writing = turn;
    // The one who asked for it learns of an error; a later turn fails by it, too.
    turn.catch(() => undefined);
    return turn;
  }

  async #writeTiles(): Promise<void> {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    await this.#requireSameCheckpoint();
    for (let level = 0; level < this.#tiles.length + 1; level += 1) {
      const tiles = pending.filter((each) => each.level === level).map(({ tile }) => tile);
      for (let at = 0; at < tiles.length; at += TILES_APPENDED) {
        await this.#appendTiles(level, tiles.slice(at, at + TILES_APPENDED));
      }
    }
  }

  async #appendTiles(level: number, tiles: readonly StoredTile[]): Promise<void> {
    const count = this.#tiles[level] ?? 0;
    const events = tiles.map((tile, at) => toTileEvent(level, count + at, tile));
    await this.store.append(tileStream(level), count === 0 ? 'no_stream' : count - 1, events);
    this.#tiles[level] = count + tiles.length;
  }

  async #writeCheckpoint(checkpoint: StoredCheckpoint): Promise<void> {
    const tiles = await this.#reader.countTiles(0);
    if (tiles !== this.#tiles[0]) throw new RevisionConflict(tileStream(0), tiles - 1, false);
    const revision = this.#checkpointsRevision;
    const expected = revision === -1 ? 'no_stream' : revision;
    await this.store.append(CHECKPOINTS_STREAM, expected, [toCheckpointEvent(checkpoint)]);
    this.#checkpointsRevision = revision + 1;
    this.#checkpointSize = checkpoint.size;
    this.#checkpointAtMs = Date.now();
    this.#isRotation = false;
  }

  /**
   * A tile holds the leaves of the checkpoints before it. Another sealer's checkpoint may come between this look and the
   * tile, and names the same leaves: only a scavenge of unsealed events in that moment would make them others, and
   * `loadSealedLog` would tell.
   */
  async #requireSameCheckpoint(): Promise<void> {
    const revision = await this.#reader.headRevision();
    const isSame = revision === this.#checkpointsRevision;
    if (!isSame) throw new RevisionConflict(CHECKPOINTS_STREAM, revision, false);
  }
}
