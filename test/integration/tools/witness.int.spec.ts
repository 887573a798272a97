import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CompactRange,
  formatCheckpoint,
  formatVerifierKey,
  hashLeaf,
  proveConsistency,
  readSigningKey,
  type SigningKey,
  signNote,
} from '#seal';

/** As the merchant, which is plain JavaScript, has it. */
interface WitnessModule {
  readonly Witness: new (
    file: string,
    ask: (path: string) => Promise<{ status: number; text: string }>,
    key?: string,
  ) => {
    look(): Promise<{ kind: string; sentence: string }>;
    take(data: Sealed): Promise<{ kind: string; sentence: string }>;
  };
  readonly isConsistent: (from: Root, to: Root, hashes: readonly Buffer[]) => boolean;
}
/** The data of a webhook `ledger.sealed`. */
interface Sealed {
  readonly size: number;
  readonly note: string;
  readonly previous_size: number;
  readonly hashes: readonly string[];
}
interface Root {
  readonly size: number;
  readonly root: Buffer;
}

const TOOL = new URL('../../../tools/merchant/witness.mjs', import.meta.url).href;
const { Witness, isConsistent } = (await import(TOOL)) as WitnessModule;
const ORIGIN = 'test/ledger/1';

function makeKey(origin = ORIGIN): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return readSigningKey(origin, String(privateKey.export({ format: 'pem', type: 'pkcs8' })));
}

/** A ledger of leaves, as its API answers. */
class Log {
  readonly key = makeKey();
  origin = ORIGIN;

  constructor(public leaves: Buffer[] = []) {}

  add(count: number, name = 'leaf'): this {
    const from = this.leaves.length;
    for (let at = 0; at < count; at += 1)
      this.leaves.push(hashLeaf(Buffer.from(`${name} ${from + at}`)));
    return this;
  }

  root(size = this.leaves.length): Root {
    return { size, root: CompactRange.of(this.leaves.slice(0, size)).root() };
  }

  prove(from: number, to: number): Promise<Buffer[]> {
    return proveConsistency(from, to, (level, index) =>
      CompactRange.of(this.leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)).root(),
    );
  }

  /** The data of the webhook of its last checkpoint, behind one of that size. */
  async seal(previousSize: number): Promise<Sealed> {
    const { text: note } = await this.ask('/seal/checkpoint');
    const { length: size } = this.leaves;
    const proof = previousSize === 0 ? [] : await this.prove(previousSize, size);
    const hashes = proof.map((hash) => hash.toString('base64'));
    return { size, note, previous_size: previousSize, hashes };
  }

  readonly ask = async (asked: string) => {
    const [, from, to] = /^\/seal\/consistency\/(\d+)\/(\d+)$/.exec(asked) ?? [];
    if (from === undefined) {
      const checkpoint = formatCheckpoint({ origin: this.origin, ...this.root() });
      return { status: 200, text: signNote(checkpoint, [this.key]) };
    }
    const hashes = await this.prove(Number(from), Number(to));
    return {
      status: 200,
      text: JSON.stringify({ hashes: hashes.map((one) => one.toString('base64')) }),
    };
  };
}

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-witness-'));
  file = path.join(folder, 'ledger.note');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a proof of consistency', () => {
  it('is taken for each two sizes, and for no other root or proof', async () => {
    const log = new Log().add(34);
    const other = new Log().add(34, 'other');
    for (let to = 1; to <= 34; to += 1) {
      for (let from = 1; from <= to; from += 1) {
        const proof = await log.prove(from, to);
        expect([from, to, isConsistent(log.root(from), log.root(to), proof)]).toEqual([
          from,
          to,
          true,
        ]);
        expect(isConsistent(other.root(from), log.root(to), proof)).toBe(false);
        expect(isConsistent(log.root(from), other.root(to), proof)).toBe(false);
        expect(isConsistent(log.root(from), log.root(to), [...proof, log.root().root])).toBe(false);
        if (proof.length > 0)
          expect(isConsistent(log.root(from), log.root(to), proof.slice(1))).toBe(false);
      }
    }
  });
});

describe("the merchant's witness", () => {
  const look = async (log: Log, key?: string) => new Witness(file, log.ask, key).look();
  const isKept = async (log: Log) =>
    readFileSync(file, 'utf8') === (await log.ask('/seal/checkpoint')).text;

  it('keeps each checkpoint of a ledger that grows', async () => {
    const log = new Log();
    for (const count of [1, 1, 5, 300]) {
      expect(await look(log.add(count), formatVerifierKey(log.key))).toMatchObject({
        kind: 'taken',
      });
      expect(await isKept(log)).toBe(true);
      expect(await look(log)).toMatchObject({ kind: 'same' });
    }
  });

  it('refuses a ledger that is smaller than before', async () => {
    const log = new Log().add(9);
    await look(log);
    log.leaves.length = 8;
    expect(await look(log)).toEqual({
      kind: 'refused',
      sentence: 'The ledger had 9 leaves, and has 8: some were taken away.',
    });
    expect(await isKept(log)).toBe(false);
  });

  it.each([
    ['altered', (leaves: Buffer[]) => leaves.with(2, hashLeaf(Buffer.from('altered')))],
    ['left out', (leaves: Buffer[]) => leaves.toSpliced(2, 1)],
    ['put in', (leaves: Buffer[]) => leaves.toSpliced(2, 0, hashLeaf(Buffer.from('new')))],
    ['reordered', ([a, b, ...leaves]: Buffer[]) => [b!, a!, ...leaves]],
  ])('refuses a ledger in which a leaf was %s', async (_, alter) => {
    const log = new Log().add(7);
    await look(log);
    log.leaves = alter(log.leaves);
    log.add(4);
    expect(await look(log)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/did not grow from/),
    });
    log.leaves.length = 7;
    expect(await look(log)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/did not grow from that of 7/),
    });
  });

  it('takes another log, as after a restore, only when its file is removed', async () => {
    const log = new Log().add(3);
    await look(log);
    log.origin += '/restored/1234abcd';
    const restored = { key: makeKey(log.origin) };
    Object.assign(log, restored);
    expect(await look(log.add(1))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/remove .*ledger.note/),
    });
    rmSync(file);
    expect(await look(log)).toMatchObject({ kind: 'taken' });
  });

  it('refuses a checkpoint of another key, and text that is none', async () => {
    const log = new Log().add(3);
    const wrong = formatVerifierKey(makeKey());
    expect(await look(log, wrong)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/not signed by the key/),
    });
    const ask = async () => ({ status: 200, text: 'a\n0\nb\n\n' });
    expect(await new Witness(file, ask).look()).toMatchObject({ kind: 'refused' });
  });

  it('keeps its note while the ledger gives none', async () => {
    const log = new Log().add(3);
    await look(log);
    const ask = async () => ({ status: 503, text: '' });
    expect(await new Witness(file, ask).look()).toMatchObject({
      kind: 'unknown',
      sentence: expect.stringMatching(/503/),
    });
    expect(await isKept(log)).toBe(true);
  });
});

describe('a checkpoint that comes by webhook', () => {
  const away = async () => ({ status: 403, text: '' });
  const read = () => readFileSync(file, 'utf8');

  it('is kept by its own proof, and is the one that is asked for later', async () => {
    const log = new Log().add(3);
    const witness = new Witness(file, away, formatVerifierKey(log.key));
    expect(await witness.take(await log.seal(0))).toMatchObject({ kind: 'taken' });
    expect(await witness.take(await log.add(5).seal(3))).toMatchObject({ kind: 'taken' });
    expect(read()).toBe((await log.seal(3)).note);
    expect(await new Witness(file, log.ask).look()).toMatchObject({ kind: 'same' });
  });

  it('is proved over HTTP where one before it was missed, and not taken where that fails', async () => {
    const log = new Log().add(3);
    await new Witness(file, log.ask).look();
    const first = read();
    log.add(4);
    const sealed = await log.add(2).seal(7);
    expect(await new Witness(file, away).take(sealed)).toMatchObject({ kind: 'unknown' });
    expect(read()).toBe(first);
    expect(await new Witness(file, log.ask).take(sealed)).toMatchObject({ kind: 'taken' });
    expect(read()).toBe(sealed.note);
  });

  it('is refused where its proof is wrong, or it is of another history', async () => {
    const log = new Log().add(3);
    const witness = new Witness(file, away);
    await witness.take(await log.seal(0));
    const sealed = await log.add(2).seal(3);
    const wrong = { ...sealed, hashes: sealed.hashes.toReversed() };
    expect(await witness.take(wrong)).toMatchObject({ kind: 'refused' });
    log.leaves[1] = hashLeaf(Buffer.from('altered'));
    expect(await witness.take(await log.seal(3))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/did not grow from that of 3/),
    });
  });

  it('is refused where it is smaller and forged, though signed; a real one may only be late', async () => {
    const log = new Log().add(7);
    const late = await log.seal(0);
    await new Witness(file, log.ask).take(await log.add(2).seal(7));
    const kept = read();
    expect(await new Witness(file, log.ask).take(late)).toMatchObject({
      kind: 'same',
      sentence: expect.stringMatching(/came late/),
    });
    const forged = new Log().add(7, 'forged');
    Object.assign(forged, { key: log.key });
    const smaller = { kind: 'refused', sentence: expect.stringMatching(/had 9 leaves, and has 7/) };
    expect(await new Witness(file, log.ask).take(await forged.seal(0))).toMatchObject(smaller);
    expect(await new Witness(file, away).take(late)).toMatchObject(smaller);
    expect(read()).toBe(kept);
  });

  it('is compared with the one that is kept, however many come at once', async () => {
    const log = new Log().add(3);
    const sealed = [await log.seal(0), await log.add(4).seal(3), await log.add(1).seal(7)];
    const witness = new Witness(file, away);
    const seen = await Promise.all(sealed.map((each) => witness.take(each)));
    expect(seen.map(({ kind }) => kind)).toEqual(['taken', 'taken', 'taken']);
    expect(read()).toBe(sealed[2]?.note);
  });
});
