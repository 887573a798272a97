import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  checkProof,
  CompactRange,
  formatCheckpoint,
  formatProof,
  hashLeaf,
  hashNode,
  InvalidSeal,
  leafLine,
  parseProof,
  readSigningKey,
  signNote,
} from './index.js';

const der = Buffer.concat([
  Buffer.from('302e020100300506032b657004220420', 'hex'),
  Buffer.alloc(32, 1),
]);
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const key = readSigningKey('ledger.example/ledger/1', pem);
const LINES = ['a', 'b', 'c'].map((eventId) =>
  leafLine({ streamName: 's', eventId, type: 't', data: Buffer.of(), metadata: Buffer.of() }),
);
const [first, second, third] = LINES.map(hashLeaf) as [Buffer, Buffer, Buffer];
const root = CompactRange.of([first, second, third]).root();
const checkpoint = signNote(formatCheckpoint({ origin: key.name, size: 3, root }), [key]);
const PROOF = { line: LINES[1]!, index: 1, hashes: [first, third], checkpoint };
const TEXT = formatProof(PROOF);

describe('a proof', () => {
  it("is C2SP's text, with the line as its extra data", () => {
    const base64 = (bytes: Buffer) => bytes.toString('base64');
    expect(TEXT).toBe(
      `c2sp.org/tlog-proof@v1\nextra ${base64(LINES[1]!)}\nindex 1\n${base64(first)}\n${base64(third)}\n\n${checkpoint}`,
    );
    expect(parseProof(TEXT)).toEqual(PROOF);
  });

  it('shows that its line is in the tree of its checkpoint', () => {
    expect(checkProof(TEXT, [key])).toMatchObject({ index: 1, checkpoint: { size: 3, root } });
    const last = { ...PROOF, line: LINES[2]!, index: 2, hashes: [hashNode(first, second)] };
    expect(checkProof(formatProof(last), [key]).line).toEqual(LINES[2]);
  });

  it('of a tree of one leaf has no hashes', () => {
    const only = formatCheckpoint({ origin: key.name, size: 1, root: first });
    const proof = { line: LINES[0]!, index: 0, hashes: [], checkpoint: signNote(only, [key]) };
    expect(checkProof(formatProof(proof), [key])).toMatchObject({ index: 0, hashes: [] });
  });

  it.each([
    ['another line', { ...PROOF, line: LINES[0]! }],
    ['another place', { ...PROOF, index: 0 }],
    ['a place outside', { ...PROOF, index: 3 }],
    ['hashes in another order', { ...PROOF, hashes: [third, first] }],
    ['a hash less', { ...PROOF, hashes: [first] }],
    ['another tree', { ...PROOF, checkpoint: checkpoint.replace('\n3\n', '\n4\n') }],
  ])('is wrong with %s', (_, proof) => {
    expect(() => checkProof(formatProof(proof), [key])).toThrow(InvalidSeal);
  });

  it.each([
    ['another header', TEXT.replace('@v1', '@v2')],
    ['no line', TEXT.replace(/extra .*\n/, '')],
    ['leading zeros', TEXT.replace('index 1', 'index 01')],
    ['no empty line', TEXT.replace('\n\n', '\n')],
    ['a hash of 31 bytes', TEXT.replace(/index 1\n.*/, `index 1\n${'A'.repeat(42)}==`)],
    ['carriage returns', TEXT.replaceAll('\n', '\r\n')],
  ])('is none with %s', (_, text) => {
    expect(() => checkProof(text, [key])).toThrow(InvalidSeal);
  });
});
