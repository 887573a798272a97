import { openCheckpoint } from './checkpoints.js';
import { HASH_BYTES, hashLeaf } from './hash.js';
import { assertValid, decodeBase64 } from './invalid.js';
import type { VerifierKey } from './keys.js';
import { verifyInclusion } from './proofs.js';

/** A file by which others check one event offline (C2SP tlog-proof). */
export interface SealProof {
  /** The leaf's line, as the extra data of the file. */
  readonly line: Buffer;
  /** The leaf's number, from 0. */
  readonly index: number;
  /** From the leaf's sibling upwards. */
  readonly hashes: readonly Buffer[];
  /** The note of the checkpoint. */
  readonly checkpoint: string;
}

const HEADER = 'c2sp.org/tlog-proof@v1';
const FILE = new RegExp(
  `^${HEADER}\\nextra (\\S+)\\nindex (0|[1-9]\\d*)\\n((?:\\S+\\n){0,53})\\n(.+)$`,
  's',
);

/** The text of a proof. */
export function formatProof({ line, index, hashes, checkpoint }: SealProof): string {
  const lines = hashes.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `${HEADER}\nextra ${line.toString('base64')}\nindex ${index}\n${lines}\n${checkpoint}`;
}

/** Takes a proof apart, without a check of its claim. @throws InvalidSeal */
export function parseProof(text: string): SealProof {
  const [, line = '', index, hashes = '', checkpoint] = FILE.exec(text) ?? [];
  assertValid(checkpoint !== undefined, `The proof is no text of ${HEADER} with the leaf's line.`);
  return {
    line: decodeBase64(line, 'line of the leaf'),
    index: Number(index),
    hashes: hashes
      .split('\n')
      .slice(0, -1)
      .map((hash) => decodeBase64(hash, 'hash', HASH_BYTES)),
    checkpoint,
  };
}

/** The proof, and the checkpoint that it ends in, when all of it is right. @throws InvalidSeal */
export function checkProof(text: string, keys: readonly VerifierKey[]) {
  const proof = parseProof(text);
  const checkpoint = openCheckpoint(proof.checkpoint, keys);
  const leaf = { index: proof.index, hash: hashLeaf(proof.line) };
  const isIn = verifyInclusion(leaf, checkpoint, proof.hashes);
  assertValid(isIn, `The line is not leaf ${leaf.index} of the tree of ${checkpoint.size} leaves.`);
  return { ...proof, checkpoint };
}
