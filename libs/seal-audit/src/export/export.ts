import {
  entriesPath,
  HASH_BYTES,
  hashLeaf,
  listNewTiles,
  parseCheckpoint,
  parseEntries,
  parseNote,
  TILE_WIDTH,
  tilePath,
} from '#seal';
import {
  EventPlaces,
  type FoundCheckpoint,
  type LogLeaf,
  readLogLeaves,
  SealReader,
} from '#sealing';
import type { AuditedStore } from '../audited-store.js';
import { compareLog } from '../compare-log.js';
import type { ErasedLeaves } from '../erasures.js';
import { SealFindings } from '../seal-findings.js';
import { readCosignedNote } from '../stored-note.js';
import { rootOfSize } from '../tree-root.js';
import { BundleFolder } from './bundle-folder.js';
import { EntriesWriter } from './entries-writer.js';

const CHECKPOINT = 'checkpoint';

/** The result of an export. */
export interface ExportedSeals {
  readonly origin: string;
  readonly size: number;
  /** The leaves that the folder had before. */
  readonly formerSize: number;
  readonly tiles: number;
  /** Leaves whose lines are left out, since players were erased. */
  readonly erased: readonly ErasedLeaves[];
  /** Events that are not as they were sealed: the folder has them as the store does, so that verifiers refuse it. */
  readonly differences: number;
  /** The folder is of another log, or of a fork of this one: nothing was written. */
  readonly isForeign: boolean;
}

/**
 * Writes the ledger's tiles, lines and last checkpoint into a folder, in the layout of C2SP's tlog-tiles; into one that
 * has some already, those alone that are new.
 *
 * @returns undefined where the ledger was never sealed. @throws Fault of the store.
 */
export async function exportSeals(
  store: AuditedStore,
  path: string,
  onProgress?: (share: number) => void,
): Promise<ExportedSeals | undefined> {
  const reader = new SealReader(store);
  const last = await reader.findLast();
  if (last === undefined) return undefined;
  const folder = new BundleFolder(path);
  const { origin, size } = parseCheckpoint(parseNote(last.checkpoint.note).text);
  const former = await readFormer(folder);
  const formerSize = former?.size ?? 0;
  const common = { origin, size, formerSize, tiles: 0, erased: [], differences: 0 };
  const isSame =
    former === undefined || (former.origin === origin && (await hasRoot(reader, last, former)));
  if (!isSame) return { ...common, isForeign: true };
  const tiles = await writeTiles(reader, last, formerSize, folder);
  const { erased, findings } = await writeEntries(store, last, formerSize, folder, onProgress);
  const differences = findings.total;
  if (differences > 0 && formerSize === 0) await writeAsStored(store, size, folder);
  if (differences > 0 && formerSize > 0) return { ...common, tiles, differences, isForeign: false };
  await folder.write(CHECKPOINT, await readCosignedNote(reader, last));
  return { ...common, tiles, erased, differences, isForeign: false };
}

async function readFormer(folder: BundleFolder) {
  const note = await folder.read(CHECKPOINT);
  return note && parseCheckpoint(parseNote(note.toString()).text);
}

async function hasRoot(
  reader: SealReader,
  last: FoundCheckpoint,
  former: { readonly size: number; readonly root: Buffer },
): Promise<boolean> {
  if (former.size > last.checkpoint.size) return false;
  const root = await rootOfSize(former.size, reader.readHashes(last));
  return root.equals(former.root);
}

async function writeTiles(
  reader: SealReader,
  { checkpoint }: FoundCheckpoint,
  formerSize: number,
  folder: BundleFolder,
): Promise<number> {
  let tiles = 0;
  for (const tile of listNewTiles(formerSize, checkpoint.size)) {
    const file = tilePath(tile);
    if (folder.has(file)) continue;
    await folder.write(file, await reader.readTile(tile, checkpoint));
    tiles += 1;
  }
  return tiles;
}

async function writeEntries(
  store: AuditedStore,
  { checkpoint }: FoundCheckpoint,
  formerSize: number,
  folder: BundleFolder,
  onProgress?: (share: number) => void,
) {
  const reader = new SealReader(store);
  const firstTile = Math.floor(formerSize / TILE_WIDTH);
  const firstLeaf = firstTile * TILE_WIDTH;
  const { after, fromTile } = await new EventPlaces(store, reader).findStart(firstTile);
  const findings = new SealFindings();
  const writer = new EntriesWriter(folder, checkpoint.size);
  // An erasure took away lines that an earlier export has.
  const known = await readKnownLines(folder, formerSize);
  const isNew = formerSize < checkpoint.size;
  if (isNew) for (const [at, line] of known) await writer.add(firstLeaf + at, line);
  const add = ({ text }: LogLeaf, leaf: number | undefined) => {
    onProgress?.(Math.min(1, (leaf ?? 0) / checkpoint.size));
    const isWanted = isNew && leaf !== undefined && leaf >= firstLeaf;
    return isWanted ? writer.add(leaf, Buffer.from(text)) : undefined;
  };
  const from = { after, fromTile, fromLeaf: formerSize };
  const { erased } = await compareLog(store, checkpoint, findings, add, from);
  await writer.end();
  return { erased, findings };
}

/** The lines of the last tile of the folder, when it is partial, as far as its leaves are theirs. */
async function readKnownLines(
  folder: BundleFolder,
  formerSize: number,
): Promise<Map<number, Buffer>> {
  const place = { index: Math.floor(formerSize / TILE_WIDTH), width: formerSize % TILE_WIDTH };
  const entries = place.width > 0 ? await folder.read(entriesPath(place)) : undefined;
  const tile = await folder.read(tilePath({ level: 0, ...place }));
  const known = new Map<number, Buffer>();
  for (const [at, line] of parseEntries(entries ?? Buffer.alloc(0)).entries()) {
    const hash = tile?.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    if (hash?.equals(hashLeaf(line)) === true) known.set(at, line);
  }
  return known;
}

/** The lines of events that differ from their seals, as the log has them, so that verifiers see it. */
async function writeAsStored(store: AuditedStore, size: number, folder: BundleFolder) {
  const writer = new EntriesWriter(folder, size, false);
  let leaf = 0;
  for await (const { text } of readLogLeaves(store, '')) {
    if (leaf >= size) break;
    await writer.add(leaf, Buffer.from(text));
    leaf += 1;
  }
  await writer.end();
}
