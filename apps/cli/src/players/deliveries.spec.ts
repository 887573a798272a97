import { describe, expect, it } from 'vitest';
import type { ParkedEntry } from '#worker-state';
import { countUndelivered } from './deliveries.js';

const own = { has: (streamName: string) => streamName === 'subscription-sub_1' };
const at = (n: number) => String(n).padStart(20, '0');

/** A backup that names deliveries, or a charge, of these streams in flight. */
function backupAt(position: number, inFlight: string[] = [], parked: string[] = []) {
  // As much of parked streams as is looked at.
  const parkedStreams = parked.map((streamName) => ({ streamName }) as ParkedEntry);
  const members = inFlight.map((member) => ({ member: `${at(1)} ${member}` }));
  return { position: at(position), inFlight: members, parked: parkedStreams };
}

describe('what is still to be sent about a player', () => {
  it.each([
    ['nothing, where a worker is past the last event', backupAt(5), true, 0],
    ['unknown, where a worker is before it', backupAt(4), false, 0],
    ['unknown, where no worker has said anything', undefined, false, 0],
    ['unknown, where a stream waits', backupAt(9, [], ['subscription-sub_1']), false, 0],
    ['a delivery in flight', backupAt(9, ['whe_1 subscription-sub_1 0 0 msg_1']), true, 1],
    ['no delivery about others', backupAt(9, ['whe_1 subscription-sub_2 0 0 msg_1']), true, 0],
    ['no charge', backupAt(9, ['process subscription-sub_1 0']), true, 0],
    ['nothing, where only others wait', backupAt(9, [], ['payment-pay_2']), true, 0],
  ])('is %s', (_, backup, isComplete, messages) => {
    expect(countUndelivered(backup, own, at(5))).toEqual({ isComplete, messages });
  });

  it('is nothing where nothing was bought and no worker has said anything', () => {
    expect(countUndelivered(undefined, own, '')).toEqual({ isComplete: true, messages: 0 });
  });
});
