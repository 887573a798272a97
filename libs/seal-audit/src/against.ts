import { openCheckpoint } from '#seal';
import type { SealFindings } from './seal-findings.js';
import type { KnownKeys } from './known-keys.js';

/** A checkpoint that an auditor holds, when its signature is right. @throws InvalidSeal */
export function openHeld(note: string, keys: KnownKeys) {
  return openCheckpoint(note, keys.ofNote(note));
}

export type HeldCheckpoint = ReturnType<typeof openHeld>;

/**
 * Compares the tree with a checkpoint that an auditor holds.
 *
 * @param root of the ledger's tree of that size; undefined where it has fewer leaves.
 */
export function compareHeld(
  held: HeldCheckpoint,
  size: number,
  root: Buffer | undefined,
  findings: SealFindings,
): void {
  if (root?.equals(held.root) === true) return;
  const text =
    held.size > size
      ? `This ledger is a fork of ${held.origin}: it has ${size} leaves, and the checkpoint to compare it with attests ` +
        `${held.size}. A backup that was restored looks so.`
      : `This ledger is a fork of ${held.origin}: its first ${held.size} leaves are not those that the checkpoint to ` +
        'compare it with attests.';
  findings.add({ kind: 'fork', text });
}
