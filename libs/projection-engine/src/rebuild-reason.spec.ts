import { describe, expect, it } from '@jest/globals';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from './checkpoint.js';
import { findRebuildReason } from './rebuild-reason.js';

const at = (position: number) => String(position).padStart(20, '0');
const HEAD = at(7);
const good: Checkpoint = { position: at(7), layoutId: 'store-1', epoch: 'e', phase: 'live' };
const judge = (stored: string) =>
  findRebuildReason({ stored, current: decodeCheckpoint(stored) }, HEAD);

describe('where a partition stands', () => {
  it.each([
    ['nothing is there', '', 'no_checkpoint'],
    ['it is not ours', '42', 'unreadable_checkpoint'],
    ['it is cut off', '{"position":"000', 'unreadable_checkpoint'],
    [
      'another projector was clearing',
      encodeCheckpoint({ ...good, phase: 'clearing' }),
      'clearing',
    ],
    ['the store lost events', encodeCheckpoint({ ...good, position: at(8) }), 'ahead_of_store'],
  ])('is a reason to rebuild when %s', (_, stored, reason) => {
    expect(judge(stored)).toBe(reason);
  });

  it('is good at the head, behind it, at the very beginning, and in the middle of a rebuild', () => {
    expect(judge(encodeCheckpoint(good))).toBeUndefined();
    expect(judge(encodeCheckpoint({ ...good, position: at(1) }))).toBeUndefined();
    expect(judge(encodeCheckpoint({ ...good, position: '' }))).toBeUndefined();
    expect(judge(encodeCheckpoint({ ...good, phase: 'rebuilding' }))).toBeUndefined();
  });
});
