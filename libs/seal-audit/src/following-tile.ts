import { TILE_WIDTH } from '#seal';
import type { FoundCheckpoint, SealReader } from '#sealing';
import type { SealFindings } from './seal-findings.js';

/**
 * Compares the last checkpoint with the tile in which its tree goes on. No checkpoint attests that tile, and a sealer
 * that finds other leaves there goes on with neither (rules/evidence 5).
 *
 * @throws Fault of the store.
 */
export async function checkFollowingTile(
  reader: Pick<SealReader, 'readTiles'>,
  { checkpoint: { size, tail } }: FoundCheckpoint,
  findings: SealFindings,
): Promise<void> {
  const index = Math.floor(size / TILE_WIDTH);
  const [tile] = await reader.readTiles(0, index, 1);
  if (tile === undefined || tile.hashes.subarray(0, tail.length).equals(tail)) return;
  const text =
    `The tile ${index} of level 0 has other leaves than the last checkpoint, of ${size} leaves: ` +
    'two sealers contradict each other, or one of both was replaced.';
  findings.add({ kind: 'tile', text });
}
