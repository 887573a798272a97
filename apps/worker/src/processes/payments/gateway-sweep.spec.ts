import { describe, expect, it } from '@jest/globals';
import type { FeedCheckpoint } from '../../feed/feed-checkpoint.js';
import { inFlightMember, PROCESS } from '../../feed/in-flight.js';
import type { InFlightSet } from '../../feed/in-flight-set.js';
import type { InFlightWork } from '../../feed/in-flight-work.js';
import { GATEWAY_SWEPT_AT_ONCE, LOOK_AGAIN_MS } from '../../limits.js';
import { at, createEvent, silent } from '../../spec-support/fakes.js';
import { GatewaySweep } from './gateway-sweep.js';

/** A set of what is due, by member; some of it cannot be begun. */
function create(count: number, redo: () => Promise<void> = async () => undefined) {
  const due = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    due.set(inFlightMember(createEvent(`sub_${n}`, n), PROCESS), n);
  }
  const begun: string[] = [];
  const inFlight: Partial<InFlightSet> = {
    listDue: async (nowMs, limit) =>
      [...due]
        .filter(([, dueAtMs]) => dueAtMs <= nowMs)
        .sort(([, left], [, right]) => left - right)
        .map(([member]) => member)
        .slice(0, limit),
    lookAgain: async (member, _, atMs) => void due.set(member, atMs),
  };
  const work: Partial<InFlightWork> = {
    redoEach: async (each, begunUpTo) => {
      expect(begunUpTo).toBe(at(9_999));
      await redo();
      begun.push(...each.map(({ member }) => member));
    },
  };
  const sweep = new GatewaySweep(
    inFlight as InFlightSet,
    work as InFlightWork,
    { position: at(9_999) } as FeedCheckpoint,
    silent,
  );
  return { sweep, due, begun };
}

const NOW_MS = 1_000_000;

describe('the sweep of what is due at the gateway', () => {
  it('begins it again, and looks at it later, should its job be lost once more', async () => {
    const { sweep, due, begun } = create(3);
    await sweep.sweep(NOW_MS);
    await sweep.sweep(NOW_MS);
    expect(begun).toHaveLength(3);
    expect([...due.values()]).toEqual([1, 2, 3].map(() => NOW_MS + LOOK_AGAIN_MS));
  });

  it('comes to what is behind more than it takes up, though none of that can be begun', async () => {
    let isAway = true;
    const { sweep, begun } = create(GATEWAY_SWEPT_AT_ONCE + 1, async () => {
      if (isAway) throw new Error('the first page cannot be begun');
    });
    await expect(sweep.sweep(NOW_MS)).rejects.toThrow('cannot be begun');
    isAway = false;
    await sweep.sweep(NOW_MS);
    expect(begun).toEqual([
      inFlightMember(createEvent(`sub_${GATEWAY_SWEPT_AT_ONCE}`, GATEWAY_SWEPT_AT_ONCE), PROCESS),
    ]);
  });
});
