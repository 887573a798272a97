import { createPrivateKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  CompactRange,
  entriesPath,
  formatCheckpoint,
  formatEntries,
  hashLeaf,
  leafLine,
  listNewTiles,
  proveInclusion,
  readSigningKey,
  signNote,
  type SigningKey,
  TILE_WIDTH,
  tilePath,
} from '#seal';

/** A key that is the same each time: 32 equal bytes are its private part. */
export function makePem(byte: number): string {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(32, byte)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

export const BUNDLE_KEY: SigningKey = readSigningKey('ledger.example/ledger/1', makePem(1));

/** The lines of so many events. */
export function makeLines(count: number): Buffer[] {
  return Array.from({ length: count }, (_, at) =>
    leafLine({
      streamName: `payment-pay_${at % 50}`,
      eventId: `5f0c2f9a-7c1e-4c0e-9c6f-${String(at).padStart(12, '0')}`,
      type: 'payment.captured.v1',
      data: Buffer.from(`{"amount":${at}}`),
      metadata: Buffer.from('{}'),
    }),
  );
}

/** The note of the tree of the first lines. */
export function signTree(lines: readonly Buffer[], key = BUNDLE_KEY): string {
  const root = CompactRange.of(lines.map(hashLeaf)).root();
  return signNote(formatCheckpoint({ origin: key.name, size: lines.length, root }), [key]);
}

/** The proof of a line, made from the lines. */
export function proveLine(lines: readonly Buffer[], index: number): Promise<Buffer[]> {
  return proveInclusion(index, lines.length, (level, number) => subtreeRoot(lines, level, number));
}

/** Writes lines in the layout of C2SP's tlog-tiles: the checkpoint, tiles, and the lines as entries. */
export function writeBundle(folder: string, lines: readonly Buffer[]): void {
  write(folder, 'checkpoint', Buffer.from(signTree(lines)));
  for (const tile of listNewTiles(0, lines.length)) {
    const first = tile.index * TILE_WIDTH;
    const hashes = Array.from({ length: tile.width }, (_, at) =>
      subtreeRoot(lines, tile.level * 8, first + at),
    );
    write(folder, tilePath(tile), Buffer.concat(hashes));
    if (tile.level > 0) continue;
    write(folder, entriesPath(tile), formatEntries(lines.slice(first, first + tile.width)));
  }
}

function subtreeRoot(lines: readonly Buffer[], level: number, number: number): Buffer {
  const leaves = lines.slice(number * 2 ** level, (number + 1) * 2 ** level).map(hashLeaf);
  return CompactRange.of(leaves).root();
}

function write(folder: string, file: string, bytes: Buffer): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, bytes);
}
