import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { MAX_APPEND_BYTES } from '../limits.js';
import { MAX_PACKED_CONTENT_BYTES, UnreadableContent } from './content.js';
import { DICTIONARY_1 } from './dictionary-1.js';
import {
  contentOffset,
  countRecordBytes,
  encodeRecord,
  encodeScavenged,
  isJsonRecord,
  isRecordWhole,
  isScavenged,
  readContent,
  recordHasId,
  recordId,
  recordStreamName,
  recordType,
} from './record.js';

const FLAGS_OFFSET = 4;
const METADATA_LENGTH_OFFSET = 37;

function encode(metadata: Uint8Array, data: Uint8Array): Buffer {
  return encodeRecord(
    'stream-1',
    { id: Buffer.alloc(16, 7), type: 'tested.v1', isJson: true, metadata, data },
    { position: 12, revision: 3, createdMs: 1_700_000_000_000 },
  );
}

const METADATA = Buffer.from('{"$correlationId":"1","actor":"app","occurredAt":"2027-01-31"}');
const DATA = Buffer.from('{"paymentId":"pay_01gold","paymentRevision":1}');
const PACKED = encode(METADATA, DATA);
const UNPACKED = encode(Buffer.from('{}'), Buffer.from('[0]'));

/** As it was written by the first release with this format: `PACKED` and `UNPACKED`. */
const PACKED_GOLDEN = [
  '2fcacc470307070707070707070707070707070707018bcfe5680000000000000300080009000000',
  '3e73747265616d2d317465737465642e763100006c0f510400008e000aad000b34008032372d3031',
  '2d33314406039401016f00028a0430676f6c2601031900037208506e223a317d',
].join('');
const UNPACKED_GOLDEN = [
  'f2a44b6c0107070707070707070707070707070707018bcfe5680000000000000300080009000000',
  '0273747265616d2d317465737465642e76317b7d5b305d',
].join('');

/** The rest of the packed one after a scavenge. */
const SCAVENGED_GOLDEN =
  '350df9698007070707070707070707070707070707018bcfe56800000000000003000800090000000073747265616d2d317465737465642e7631';

/** Bytes as they come, such as repeat themselves, and such as the dictionary knows. */
const bytes = fc.oneof(
  fc.uint8Array(),
  fc.uint8Array({ minLength: 1000, maxLength: 5000 }),
  fc.tuple(fc.uint8Array({ minLength: 1 }), fc.nat(500)).map(([part, times]) => {
    return Buffer.concat(Array.from({ length: times }, () => part));
  }),
  fc.nat(DICTIONARY_1.length).map((at) => DICTIONARY_1.subarray(at, at + 200)),
);

describe('a record', () => {
  it('gives back what it was made of, and says how long that is', () => {
    const check = fc.property(bytes, bytes, (metadata, data) => {
      const record = encode(metadata, data);
      expect(readContent(record).bytes.equals(Buffer.concat([metadata, data]))).toBe(true);
      expect(readContent(record).metadataLength).toBe(metadata.length);
      const length = metadata.length + data.length;
      expect(countRecordBytes(record)).toBe(contentOffset(record) + length);
      expect(record.length).toBeLessThanOrEqual(countRecordBytes(record));
      expect([recordStreamName(record), recordType(record)]).toEqual(['stream-1', 'tested.v1']);
      expect(isJsonRecord(record)).toBe(true);
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('takes far less than a usual event says, and no byte more than what cannot be packed', () => {
    const packed = PACKED.length - contentOffset(PACKED);
    expect(packed).toBeLessThan((METADATA.length + DATA.length) * 0.6);
    expect(UNPACKED.length).toBe(contentOffset(UNPACKED) + '{}[0]'.length);
  });

  it('is packed and read where its content is as long as any that is packed', () => {
    const data = Buffer.alloc(MAX_PACKED_CONTENT_BYTES - METADATA.length, 'a');
    const record = encode(METADATA, data);
    expect(record.length).toBeLessThan(data.length / 100);
    expect(readContent(record).bytes.equals(Buffer.concat([METADATA, data]))).toBe(true);
  });

  it('is never packed where its content is longer', () => {
    const data = Buffer.alloc(MAX_PACKED_CONTENT_BYTES - METADATA.length + 1, 'a');
    const record = encode(METADATA, data);
    expect(record.length).toBe(contentOffset(record) + MAX_PACKED_CONTENT_BYTES + 1);
    expect(readContent(record).bytes).toHaveLength(MAX_PACKED_CONTENT_BYTES + 1);
  });
});

describe.each([
  ['packed', PACKED],
  ['not packed', UNPACKED],
])('a record that is %s', (_how, record) => {
  it('is whole as it was written', () => {
    expect(isRecordWhole(record, 12)).toBe(true);
  });

  it('is not whole with any one bit changed', () => {
    for (let bit = 0; bit < record.length * 8; bit += 1) {
      const changed = Buffer.from(record);
      changed.writeUInt8(changed[bit >> 3]! ^ (1 << (bit & 7)), bit >> 3);
      expect(isRecordWhole(changed, 12)).toBe(false);
    }
  });

  it('is not whole cut off, zeroed, or at another position', () => {
    expect(isRecordWhole(record.subarray(0, -1), 12)).toBe(false);
    expect(isRecordWhole(record.subarray(0, 3), 12)).toBe(false);
    expect(isRecordWhole(Buffer.alloc(record.length), 12)).toBe(false);
    expect(isRecordWhole(record, 13)).toBe(false);
  });
});

describe('content that was not packed by us', () => {
  function change(treat: (record: Buffer, contentAt: number) => void): () => unknown {
    const record = Buffer.from(PACKED);
    treat(record, contentOffset(record));
    return () => readContent(record);
  }

  it.each([MAX_PACKED_CONTENT_BYTES + 1, 0xffffff])(
    'is refused for a length of %i before anything is set aside for it',
    (length) => {
      const read = change((record, at) => void record.writeUIntBE(length, at, 3));
      expect(read).toThrow(new UnreadableContent(`its content is said to have ${length} bytes`));
    },
  );

  it.each([-1, 1])('is refused for a length that is wrong by %i', (by) => {
    const length = METADATA.length + DATA.length + by;
    const read = change((record, at) => void record.writeUIntBE(length, at, 3));
    expect(read).toThrow(new UnreadableContent(`its content is not packed into ${length} bytes`));
  });

  it('is refused for a dictionary that is not known', () => {
    const read = change((record) => void record.writeUInt8(33 << 1, FLAGS_OFFSET));
    expect(read).toThrow(new UnreadableContent('its content asks for dictionary 33'));
  });

  it('is refused for metadata that are longer than all', () => {
    const read = change((record) => void record.writeUInt32BE(10_000, METADATA_LENGTH_OFFSET));
    expect(read).toThrow(UnreadableContent);
  });

  it('is read or refused, whatever it is', () => {
    const check = fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
      const record = Buffer.concat([PACKED.subarray(0, contentOffset(PACKED)), content]);
      try {
        readContent(record);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableContent);
      }
    });
    fc.assert(check, { numRuns: 1000 });
  });
});

/** This format lies in data directories: it is read for good. */
describe('format version 4', () => {
  it('packs the content of any append, and has room for its length in 3 bytes', () => {
    expect(MAX_PACKED_CONTENT_BYTES).toBeGreaterThanOrEqual(2 ** 20);
    expect(MAX_PACKED_CONTENT_BYTES).toBeGreaterThanOrEqual(MAX_APPEND_BYTES);
    expect(MAX_PACKED_CONTENT_BYTES).toBeLessThan(2 ** 24);
  });

  it('has the first dictionary as it was', () => {
    const hash = createHash('sha256').update(DICTIONARY_1).digest('hex');
    expect(hash).toBe('9e4888c44c8fb823bdd1c327fedce95098449bc83c2928000182843d78609c9b');
  });

  it.each([
    ['packed', PACKED_GOLDEN, METADATA, DATA],
    ['not packed', UNPACKED_GOLDEN, Buffer.from('{}'), Buffer.from('[0]')],
  ])('is read where content is %s', (_how, golden, metadata, data) => {
    const record = Buffer.from(golden, 'hex');
    expect(isRecordWhole(record, 12)).toBe(true);
    expect(recordStreamName(record)).toBe('stream-1');
    const bytes = Buffer.concat([metadata, data]);
    expect(readContent(record)).toEqual({ bytes, metadataLength: metadata.length });
  });

  it('keeps all but the content of a scavenged event', () => {
    const stub = encodeScavenged(Buffer.from(PACKED_GOLDEN, 'hex'), 12);
    expect(stub.toString('hex')).toBe(SCAVENGED_GOLDEN);
    expect([isScavenged(stub), isScavenged(PACKED), isRecordWhole(stub, 12)]).toEqual([
      ...[true, false, true],
    ]);
    expect(recordHasId(stub, recordId(PACKED))).toBe(true);
    expect(readContent(stub)).toEqual({ bytes: Buffer.alloc(0), metadataLength: 0 });
  });
});
