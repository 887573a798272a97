import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  cosignNote,
  formatCheckpoint,
  formatVerifierKey,
  InvalidSeal,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  readSigningKey,
  SIGNATURE_TYPES,
  signNote,
  verifyNote,
} from './index.js';

/** The example of Go's `golang.org/x/mod/sumdb/note`, with its private key as its documentation prints it. */
const GO_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const GO_TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const GO_NOTE = `${GO_TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
/** The example of C2SP's tlog-cosignature, whose keys are not published. */
const C2SP_NOTE = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const goPem = makePem(GO_SEED);
const ORIGIN = 'ledger.example/ledger/1';
const log = readSigningKey(ORIGIN, makePem(Buffer.alloc(32, 1)));
const successor = readSigningKey(ORIGIN, makePem(Buffer.alloc(32, 2)));
const finance = readSigningKey(
  'finance.example',
  makePem(Buffer.alloc(32, 3)),
  SIGNATURE_TYPES.cosignature,
);
const CHECKPOINT = { origin: ORIGIN, size: 20_852_163, root: Buffer.alloc(32, 7) };
const TEXT = formatCheckpoint(CHECKPOINT);

/** A private key in PEM, as a file has it. */
function makePem(seed: Buffer): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

describe('a key', () => {
  it("is Go's in bytes and text", () => {
    const key = readSigningKey('PeterNeumann', goPem);
    expect(formatVerifierKey(key)).toBe(GO_KEY);
    expect(formatVerifierKey(parseVerifierKey(GO_KEY))).toBe(GO_KEY);
  });

  it('has another id when it cosigns', () => {
    const cosigner = readSigningKey('PeterNeumann', goPem, SIGNATURE_TYPES.cosignature);
    expect(cosigner.id).not.toBe('c74f20a3');
    expect(parseVerifierKey(formatVerifierKey(cosigner))).toMatchObject({
      type: 4,
      id: cosigner.id,
    });
  });

  it.each(['', 'a b', 'a+b', 'a\u00a0b', 'a\nb', 'a\u2028b'])(
    'does not have the name %j',
    (name) => {
      expect(() => readSigningKey(name, goPem)).toThrow(InvalidSeal);
    },
  );

  it.each([
    ['', 'reads NAME+ID+BASE64'],
    [GO_KEY.replace('c74f20a3', 'c74f20a4'), 'its bytes make c74f20a3'],
    [GO_KEY.replace('+ARpc', '+ARpd'), 'has the id c74f20a3'],
    [GO_KEY.replace('+ARpc', '+Ahpc'), 'of the unknown type 2'],
    [GO_KEY.slice(0, -4), 'has 30 bytes, and must have 33'],
    [`${GO_KEY}=`, 'not base64'],
    [GO_KEY.replace('Peter', 'Peter '), 'cannot have the name "Peter Neumann"'],
  ])('is not %j', (text, reason) => {
    expect(() => parseVerifierKey(text)).toThrow(InvalidSeal);
    expect(() => parseVerifierKey(text)).toThrow(reason);
  });

  it('signs by Ed25519 alone', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => readSigningKey('a', pem)).toThrow('of type ec, not ed25519');
    expect(() => readSigningKey('a', 'secret')).toThrow(InvalidSeal);
  });
});

describe('a note', () => {
  it("is signed as Go's example, byte for byte, and verified", () => {
    expect(signNote(GO_TEXT, [readSigningKey('PeterNeumann', goPem)])).toBe(GO_NOTE);
    const [signature] = verifyNote(GO_NOTE, [parseVerifierKey(GO_KEY)]);
    expect(signature).toMatchObject({ key: { name: 'PeterNeumann' }, timeSeconds: null });
    expect(parseNote(GO_NOTE)).toMatchObject({ text: GO_TEXT, signatures: [{ id: 'c74f20a3' }] });
  });

  it('may have signatures by several keys; those by unknown ones are ignored', () => {
    const note = signNote(TEXT, [log, successor]);
    expect(verifyNote(note, [log]).map(({ key }) => key.id)).toEqual([log.id]);
    expect(verifyNote(note, [successor, log])).toHaveLength(2);
    expect(() => verifyNote(note, [finance])).toThrow('has no signature by finance.example+');
  });

  it('is refused whole when a known key has not signed it so', () => {
    const note = signNote(TEXT, [log, successor]);
    const [, first = '', second = ''] = /(— .*\n)(— .*\n)$/.exec(note) ?? [];
    const mixed = signNote(GO_TEXT, [log]).replace(GO_TEXT, TEXT).replace(first, '') + second;
    expect(() => verifyNote(mixed, [log, successor])).toThrow(`by ${ORIGIN}+${log.id} is wrong`);
    expect(() => verifyNote(note.replace('20852163', '20852164'), [log])).toThrow('is wrong');
  });

  it.each([
    ['no signature', TEXT],
    ['no empty line', GO_NOTE.replace('\n\n', '\n')],
    ['no last line feed', GO_NOTE.slice(0, -1)],
    ['a carriage return', GO_NOTE.replace('\n', '\r\n')],
    ['half of a surrogate pair', GO_NOTE.replace('If', '\ud800')],
    ['a hyphen for a dash', GO_NOTE.replace('—', '-')],
    ['a plus in a name', GO_NOTE.replace('PeterNeumann', 'Peter+Neumann')],
    ['two spaces', GO_NOTE.replace('— ', '—  ')],
    ['a signature in loose base64', GO_NOTE.replace('nAM=', 'nAN=')],
    ['a signature that is its id', GO_NOTE.replace(/x08go.*/, 'x08gow==')],
    ['an empty line below', `${GO_NOTE}\n`],
  ])('is no note with %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(InvalidSeal);
  });

  it('has a hundred signatures at most', () => {
    const line = GO_NOTE.split('\n').at(-2)!;
    const repeatLine = (count: number) => `${GO_TEXT}\n${`${line}\n`.repeat(count)}`;
    expect(parseNote(repeatLine(100)).signatures).toHaveLength(100);
    expect(() => parseNote(repeatLine(101))).toThrow('more than 100');
  });
});

describe('a cosignature', () => {
  it('states a time, which is signed with the checkpoint', () => {
    const note = cosignNote(signNote(TEXT, [log]), finance, 1_679_315_147);
    const found = verifyNote(note, [log, finance]).map(({ key, timeSeconds }) => [
      key.name,
      timeSeconds,
    ]);
    expect(found).toEqual([
      [ORIGIN, null],
      ['finance.example', 1_679_315_147],
    ]);
    const { bytes } = parseNote(note).signatures[1]!;
    const message = `cosignature/v1\ntime 1679315147\n${TEXT}`;
    expect(bytes.subarray(8)).toEqual(sign(null, Buffer.from(message), finance.privateKey));
  });

  it("is framed as in C2SP's example", () => {
    const [ofLog, ofWitness] = parseNote(C2SP_NOTE).signatures;
    expect([ofLog?.bytes.length, ofWitness?.bytes.length]).toEqual([64, 72]);
    expect(ofWitness?.bytes.readBigUInt64BE()).toBe(1_679_315_147n);
    expect(parseCheckpoint(parseNote(C2SP_NOTE).text)).toMatchObject({ size: 20_852_163 });
  });

  it('is wrong with another time', () => {
    const note = cosignNote(signNote(TEXT, [log]), finance, 1);
    const line = note.split('\n').at(-2)!;
    const bytes = Buffer.from(line.split(' ')[2]!, 'base64');
    bytes[11] = 2;
    const later = note.replace(line, `— finance.example ${bytes.toString('base64')}`);
    expect(() => verifyNote(later, [finance])).toThrow('is wrong');
  });

  it('is not made by a key that states no time, nor a note by one that does', () => {
    expect(() => cosignNote(signNote(TEXT, [log]), successor, 1)).toThrow('without a time');
    expect(() => signNote(TEXT, [finance])).toThrow('with a time');
  });
});

describe('a checkpoint', () => {
  it('is three lines', () => {
    expect(TEXT).toBe(`${ORIGIN}\n20852163\n${CHECKPOINT.root.toString('base64')}\n`);
    expect(parseCheckpoint(TEXT)).toEqual(CHECKPOINT);
  });

  it.each([
    ['of size 0', TEXT.replace('20852163', '0')],
    ['with leading zeros', TEXT.replace('20852163', '020852163')],
    ['beyond 2^53', TEXT.replace('20852163', '9007199254740993')],
    ['with an extension line', `${TEXT}more\n`],
    [
      'with a root of 31 bytes',
      TEXT.replace(/.{44}\n$/, `${Buffer.alloc(31).toString('base64')}\n`),
    ],
    ['with spaces in its origin', TEXT.replace('ledger/1', 'ledger 1')],
    ['without its last line feed', TEXT.slice(0, -1)],
    ['without an origin', TEXT.replace(ORIGIN, '')],
  ])('is none %s', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(InvalidSeal);
  });

  it('of size 0 is not made', () => {
    expect(() => formatCheckpoint({ ...CHECKPOINT, size: 0 })).toThrow(InvalidSeal);
  });

  it('is taken when the key of its log signed it, whether others did or not', () => {
    const note = cosignNote(signNote(TEXT, [log]), finance, 1);
    expect(openCheckpoint(note, [log, finance])).toMatchObject(CHECKPOINT);
    expect(() => openCheckpoint(note, [finance])).toThrow(`No known key of ${ORIGIN}`);
    const cosigner = readSigningKey(ORIGIN, makePem(Buffer.alloc(32, 1)), 4);
    const cosigned = cosignNote(signNote(TEXT, [successor]), cosigner, 1);
    expect(() => openCheckpoint(cosigned, [cosigner])).toThrow('No known key');
    const other = readSigningKey('other.example', makePem(Buffer.alloc(32, 9)));
    expect(() => openCheckpoint(signNote(TEXT, [other]), [other])).toThrow('No known key');
  });
});
