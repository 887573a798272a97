/**
 * The studio as a witness of the ledger: it keeps the note of the last checkpoint in a file, and takes another one only
 * where a proof shows that the ledger grew from the kept one. A ledger that was altered, cut off or restored to an earlier
 * state cannot give such a proof (rules/http 13, rules/evidence 10). Checkpoints come by webhook, and are asked for where
 * one was missed.
 *
 * Formats: C2SP signed-note and tlog-checkpoint; RFC 9162, section 2.1.4.2.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** DER of a public Ed25519 key, up to its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export class Witness {
  #file;
  #ask;
  #key;
  #turn = Promise.resolve();

  /**
   * @param file the kept note. @param ask reads a path of the API: `{status, text}`. @param key the ledger's verifier key
   *   (`subledger seal key show`); without it, signatures are not looked at.
   */
  constructor(file, ask, key) {
    this.#file = file;
    this.#ask = ask;
    this.#key = key;
  }

  /** Reads the last checkpoint, and takes or refuses it. @returns `{kind, sentence}`: taken, same, refused or unknown. */
  look() {
    return this.#inTurn(() => this.#look());
  }

  /**
   * Takes or refuses the checkpoint of a webhook whose signature was checked.
   *
   * @param data of `ledger.sealed`: `{size, note, previous_size, hashes}`. @returns as `look`.
   */
  take(data) {
    return this.#inTurn(() => this.#judge(data.note, data));
  }

  /** One checkpoint at a time: each is compared with the kept one. */
  #inTurn(act) {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #look() {
    const { status, text } = await this.#ask('/seal/checkpoint');
    if (status !== 200) return unknown(`The ledger gives no checkpoint: it answers ${status}.`);
    return this.#judge(text, undefined);
  }

  async #judge(note, proof) {
    const kept = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : undefined;
    if (kept === note) return same('The ledger is where it was.');
    let next;
    try {
      next = openNote(note, this.#key);
    } catch (error) {
      return refused(`The note of the checkpoint is wrong: ${error.message}.`);
    }
    return (await this.#refuse(kept, next, proof)) ?? this.#keep(note, next);
  }

  /** Why a checkpoint does not follow on the kept one; undefined where it does. @param proof of a webhook. */
  async #refuse(kept, next, proof) {
    if (kept === undefined) return undefined;
    const last = openNote(kept, undefined);
    if (next.origin !== last.origin)
      return refused(
        `The ledger is another log: ${next.origin}, and not ${last.origin}. Where a restore is the reason, ` +
          `remove ${this.#file} to take it.`,
      );
    if (next.size < last.size) {
      if (proof !== undefined && (await this.#isPrefix(next, last)))
        return same(
          `The checkpoint of ${next.size} leaves came late: that of ${last.size} is kept.`,
        );
      return refused(
        `The ledger had ${last.size} leaves, and has ${next.size}: some were taken away.`,
      );
    }
    const hashes =
      proof?.previous_size === last.size ? proof.hashes : await this.#prove(last, next);
    if (hashes === undefined) return unknown('The ledger gives no proof of consistency.');
    if (isConsistent(last, next, toBuffers(hashes))) return undefined;
    return refused(
      `The ledger of ${next.size} leaves did not grow from that of ${last.size}: what was sealed has been altered.`,
    );
  }

  /** Whether a tree is the beginning of the kept one, as of a webhook that was sent again. */
  async #isPrefix(next, last) {
    const hashes = await this.#prove(next, last);
    return hashes !== undefined && isConsistent(next, last, toBuffers(hashes));
  }

  async #prove(from, to) {
    const { status, text } = await this.#ask(`/seal/consistency/${from.size}/${to.size}`);
    return status === 200 ? JSON.parse(text).hashes : undefined;
  }

  #keep(text, { size }) {
    writeFileSync(`${this.#file}.new`, text);
    renameSync(`${this.#file}.new`, this.#file);
    return { kind: 'taken', sentence: `The ledger has ${size} leaves; their checkpoint is kept.` };
  }
}

/** Whether the second tree begins with all leaves of the first one (RFC 9162, 2.1.4.2). */
export function isConsistent(from, to, hashes) {
  if (from.size === to.size) return hashes.length === 0 && from.root.equals(to.root);
  const path = isPowerOfTwo(from.size) ? [from.root, ...hashes] : [...hashes];
  let [node, last] = [BigInt(from.size) - 1n, BigInt(to.size) - 1n];
  for (; node % 2n === 1n; node /= 2n) last /= 2n;
  let [first, second] = [path[0], path[0]];
  if (first === undefined) return false;
  for (const hash of path.slice(1)) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      [first, second] = [hashNode(hash, first), hashNode(hash, second)];
      for (; node % 2n === 0n && node !== 0n; node /= 2n) last /= 2n;
    } else second = hashNode(second, hash);
    node /= 2n;
    last /= 2n;
  }
  return last === 0n && first.equals(from.root) && second.equals(to.root);
}

/** The three lines of a checkpoint; with a key, only where that key signed it. @throws Error that says why not. */
function openNote(note, key) {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root] = /^([^\n]+)\n([1-9]\d{0,15})\n([^\n]+)\n$/.exec(text) ?? [];
  if (root === undefined) throw new Error('it has not the lines of a checkpoint');
  if (key !== undefined && !isSigned(text, note.slice(end + 1), key))
    throw new Error('it is not signed by the key of the ledger');
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** @param key NAME+ID+BASE64, of which the first byte says that it is of Ed25519. */
function isSigned(text, signatures, key) {
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(base64 ?? '', 'base64').subarray(1)]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return signatures.split('\n').some((line) => {
    const [, by, signature = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
    const bytes = Buffer.from(signature, 'base64');
    const isOfKey = by === name && bytes.toString('hex', 0, 4) === id;
    return isOfKey && verify(null, Buffer.from(text), publicKey, bytes.subarray(4));
  });
}

function hashNode(left, right) {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

function isPowerOfTwo(size) {
  return Number.isInteger(Math.log2(size));
}

const toBuffers = (hashes) => hashes.map((hash) => Buffer.from(hash, 'base64'));
const same = (sentence) => ({ kind: 'same', sentence });
const refused = (sentence) => ({ kind: 'refused', sentence });
const unknown = (sentence) => ({ kind: 'unknown', sentence });
