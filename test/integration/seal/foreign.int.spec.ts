import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cosignNote,
  formatEntries,
  formatVerifierKey,
  parseEntries,
  parseNote,
  readSigningKey,
} from '#seal';
import {
  BUNDLE_KEY,
  makeLines,
  makePem,
  signTree,
  writeBundle,
} from '../../support/seal/bundle.js';
import { GoVerifier } from '../../support/seal/go-verifier.js';

/** The packages are downloaded once, where they are missing. */
const INSTALLED_WITHIN_MS = 300_000;
/** Full and partial tiles of two levels. */
const LINES = makeLines(700);
const VKEY = formatVerifierKey(BUNDLE_KEY);

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-seal-'));
const whole = path.join(folder, 'whole');
let go: GoVerifier;
beforeAll(() => {
  go = GoVerifier.build(folder);
  writeBundle(whole, LINES);
}, INSTALLED_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const writeNote = (name: string, note: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, note);
  return file;
};

describe("Go's library for transparency logs", () => {
  it('finds an exported ledger right, with the checkpoints that came before', () => {
    const older = [1, 255, 256, 257, 512, 700].map((size) =>
      writeNote(`checkpoint-${size}`, signTree(LINES.slice(0, size))),
    );
    expect(go.verify(VKEY, whole, older)).toEqual({
      isRight: true,
      sentence: 'All 700 entries, their tiles and 7 checkpoints agree.',
    });
  });

  it.each([1, 256, 257])('finds a ledger of %i entries right', (size) => {
    const small = path.join(folder, `small-${size}`);
    writeBundle(small, LINES.slice(0, size));
    expect(go.verify(VKEY, small)).toMatchObject({ isRight: true });
  });

  it('takes a note that others cosigned', () => {
    const finance = readSigningKey('finance.example', makePem(3), 4);
    const note = cosignNote(signTree(LINES.slice(0, 300)), finance, 1_679_315_147);
    expect(go.verify(VKEY, whole, [writeNote('cosigned', note)])).toMatchObject({ isRight: true });
  });

  it('refuses a checkpoint of another history or key', () => {
    const altered = [...LINES.slice(0, 9), LINES[10]!, LINES[9]!, ...LINES.slice(11, 300)];
    expect(go.verify(VKEY, whole, [writeNote('forked', signTree(altered))]).sentence).toContain(
      'Refused: the root of 300 entries is',
    );
    const other = readSigningKey(BUNDLE_KEY.name, makePem(2));
    expect(go.verify(formatVerifierKey(other), whole).sentence).toContain('is not signed by');
    const longer = writeNote('longer', signTree(makeLines(701)));
    expect(go.verify(VKEY, whole, [longer]).sentence).toContain('more than the newest');
  });

  it.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['a byte of an entry', 'tile/entries/001', (bytes) => flip(bytes, 5000)],
    ['a missing entry', 'tile/entries/002.p/188', (bytes) => bytes.subarray(0, -1)],
    ['two swapped entries', 'tile/entries/000', swapEntries],
    ['a byte of a tile', 'tile/0/001', (bytes) => flip(bytes, 9)],
    ['a byte of an upper tile', 'tile/1/000.p/2', (bytes) => flip(bytes, 40)],
    ['a byte of the note', 'checkpoint', (bytes) => flip(bytes, 3)],
  ])('refuses %s that differs', (name, file, alter) => {
    const copy = path.join(folder, name);
    cpSync(whole, copy, { recursive: true });
    const target = path.join(copy, file);
    writeFileSync(target, alter(readFileSync(target)));
    const { isRight, sentence } = go.verify(VKEY, copy);
    expect([isRight, sentence]).toEqual([false, expect.stringMatching(/^Refused: /)]);
  });

  it('refuses a tile that is not there, or is of no tree', () => {
    const copy = path.join(folder, 'renamed');
    cpSync(whole, copy, { recursive: true });
    renameSync(path.join(copy, 'tile/0/001'), path.join(copy, 'tile/0/007'));
    expect(go.verify(VKEY, copy).sentence).toContain('tile/0/001 cannot be read');
    cpSync(path.join(whole, 'tile/0/001'), path.join(copy, 'tile/0/001'));
    expect(go.verify(VKEY, copy).sentence).toContain('tile/0/007 is not of this tree');
  });
});

it('OpenSSL verifies the signature of a note', () => {
  const { text, signatures } = parseNote(signTree(LINES));
  const [message, signature] = [writeNote('text', text), path.join(folder, 'signature')];
  writeFileSync(signature, signatures[0]!.bytes);
  const pem = BUNDLE_KEY.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const key = writeNote('key.pem', pem);
  const verify = () =>
    spawnSync(
      'openssl',
      [
        'pkeyutl',
        '-verify',
        '-rawin',
        '-pubin',
        '-inkey',
        key,
        '-in',
        message,
        '-sigfile',
        signature,
      ],
      { encoding: 'utf8' },
    );
  expect(verify()).toMatchObject({ status: 0, stdout: 'Signature Verified Successfully\n' });
  writeFileSync(message, text.replace('700', '701'));
  expect(verify()).toMatchObject({ status: 1 });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}

function swapEntries(bytes: Buffer): Buffer {
  const [first, second, ...others] = parseEntries(bytes);
  return formatEntries([second!, first!, ...others]);
}
