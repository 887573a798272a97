import { describe, expect, it } from '@jest/globals';
import { boundedCheckpoint } from './delivery-checkpoint.js';

const position = (n: number) => String(n).padStart(20, '0');
const member = (n: number, target = 'whe_1') => `${position(n)} ${target} subscription-sub_${n} 0`;

describe('the backup of a checkpoint', () => {
  it('stands at the checkpoint and names what is in flight before it', () => {
    const members = [member(3), member(7), member(12)];
    expect(boundedCheckpoint(position(10), members, 5)).toEqual({
      position: position(10),
      inFlight: [member(3), member(7)],
    });
  });

  it('stands before the first thing that it has no room to name', () => {
    const members = [member(3), member(7), member(8)];
    expect(boundedCheckpoint(position(10), members, 2)).toEqual({
      position: position(7),
      inFlight: [member(3), member(7)],
    });
  });

  it('names nothing of an event that it cannot name wholly', () => {
    const members = [member(3), member(7, 'whe_1'), member(7, 'whe_2')];
    expect(boundedCheckpoint(position(10), members, 2)).toEqual({
      position: position(6),
      inFlight: [member(3)],
    });
  });

  it('never stands behind the checkpoint', () => {
    const members = [member(3), member(40), member(41)];
    expect(boundedCheckpoint(position(10), members, 2).position).toBe(position(10));
  });
});
