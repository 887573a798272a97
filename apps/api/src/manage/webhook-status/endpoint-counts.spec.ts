import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { type Backup, inFlightMember, PROCESS } from '#worker-state';
import { countByEndpoint } from './endpoint-statuses.js';

const position = (n: number) => String(n).padStart(20, '0');
const at = (n: number) =>
  ({ position: position(n), streamName: 'subscription-sub_1', revision: n }) as RecordedEvent;
const member = (n: number, endpointId: string) => inFlightMember(at(n), endpointId, `msg_${n}`);

/** The backup of a partition. */
function backup(begun: readonly string[], cursors: Readonly<Record<string, number>> = {}): Backup {
  return {
    ...{ position: position(99), parked: [], exhausted: [] },
    inFlight: begun.map((each) => ({ member: each })),
    cursors: Object.entries(cursors).map(([id, n]) => ({ endpointId: id, after: position(n) })),
  };
}

describe('what is known of endpoints', () => {
  it('is counted over all partitions, with the oldest and the furthest behind', () => {
    const counts = countByEndpoint([
      backup([member(7, 'whe_1'), member(8, 'whe_2')], { whe_1: 20 }),
      backup([member(5, 'whe_1')], { whe_1: 12, whe_3: 1 }),
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      whe_1: { inFlight: 2, oldest: position(5), behindAfter: position(12) },
      whe_2: { inFlight: 1, oldest: position(8), behindAfter: null },
      whe_3: { inFlight: 0, oldest: null, behindAfter: position(1) },
    });
  });

  it('has nothing of charges and refunds, nor of what another release may have written', () => {
    const charge = inFlightMember(at(4), PROCESS);
    expect(countByEndpoint([backup([charge, 'of another release'])]).size).toBe(0);
  });
});
