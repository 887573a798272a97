import { expect, it } from '@jest/globals';
import { encodeRecord, isRecordWhole } from './record.js';

const RECORD = encodeRecord(
  'stream-1',
  {
    id: Buffer.alloc(16, 7),
    type: 'tested.v1',
    isJson: true,
    metadata: Buffer.from('{}'),
    data: Buffer.from('{"a":1}'),
  },
  { position: 12, revision: 3, createdMs: 1_700_000_000_000 },
);

it('is whole as it was written', () => {
  expect(isRecordWhole(RECORD, 12)).toBe(true);
});

it('is not whole with any one bit changed', () => {
  for (let bit = 0; bit < RECORD.length * 8; bit += 1) {
    const changed = Buffer.from(RECORD);
    changed.writeUInt8(changed[bit >> 3]! ^ (1 << (bit & 7)), bit >> 3);
    expect(isRecordWhole(changed, 12)).toBe(false);
  }
});

it('is not whole cut off, zeroed, or at another position', () => {
  expect(isRecordWhole(RECORD.subarray(0, -1), 12)).toBe(false);
  expect(isRecordWhole(RECORD.subarray(0, 3), 12)).toBe(false);
  expect(isRecordWhole(Buffer.alloc(RECORD.length), 12)).toBe(false);
  expect(isRecordWhole(RECORD, 13)).toBe(false);
});
