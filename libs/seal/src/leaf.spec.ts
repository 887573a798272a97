import { describe, expect, it } from 'vitest';
import { formatEntries, InvalidSeal, leafLine, parseEntries, parseLeafLine } from './index.js';

const EVENT = {
  streamName: 'payment-pay_1',
  eventId: '5f0c2f9a-7c1e-4c0e-9c6f-0a8d4f3c9b21',
  type: 'payment.captured.v1',
  data: Buffer.from('abc'),
  metadata: Buffer.alloc(0),
};
const LINE = `payment-pay_1 5f0c2f9a-7c1e-4c0e-9c6f-0a8d4f3c9b21 payment.captured.v1 \
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad \
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
`;

describe('the line of a leaf', () => {
  it('names the event, and has the hashes of its bytes', () => {
    expect(leafLine(EVENT).toString()).toBe(LINE);
    const { data: _data, metadata: _metadata, ...names } = EVENT;
    const [, , , dataHash, metadataHash] = LINE.trimEnd().split(' ');
    expect(parseLeafLine(leafLine(EVENT))).toEqual({ ...names, dataHash, metadataHash });
  });

  it('is of one event alone, also where the name of a stream has spaces', () => {
    const streamName = `a ${EVENT.eventId} b`;
    expect(parseLeafLine(leafLine({ ...EVENT, streamName }))).toMatchObject({ streamName });
  });

  it.each([
    { streamName: '' },
    { streamName: 'a\nb' },
    { type: 'a b' },
    { type: '' },
    { eventId: 'a\n' },
    { streamName: 'a'.repeat(65_536) },
  ])('is not made for %j', (names) => {
    expect(() => leafLine({ ...EVENT, ...names })).toThrow(InvalidSeal);
  });

  it.each([LINE.trimEnd(), `${LINE}\n`, LINE.replace('ba78', 'BA78'), 'a b c d e\n', ''])(
    'is not %j',
    (text) => {
      expect(parseLeafLine(Buffer.from(text))).toBeUndefined();
    },
  );

  it('has no bytes that are no text', () => {
    expect(parseLeafLine(Buffer.concat([Buffer.of(0xff), Buffer.from(LINE)]))).toBeUndefined();
  });
});

describe('the entries of a tile', () => {
  it('stand behind their lengths', () => {
    const entries = [Buffer.from('ab'), Buffer.alloc(0), Buffer.alloc(300, 1)];
    const bytes = formatEntries(entries);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('000261620000012c');
    expect(parseEntries(bytes)).toEqual(entries);
  });

  it.each([1, 2, 5])('are not read when the file is %i bytes short', (bytes) => {
    const whole = formatEntries([Buffer.from('a'), Buffer.from('b')]);
    expect(() => parseEntries(whole.subarray(0, -bytes))).toThrow(InvalidSeal);
  });
});
