import { describe, expect, it } from 'vitest';
import { inFlightMember, PROCESS } from '#worker-state';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import type { InFlightSet } from '../redis/in-flight-set.js';
import type { InFlightWork } from '../feed/in-flight-work.js';
import { POLL_AGAIN_MS, TAKEN_UP_AT_ONCE } from '../limits.js';
import { at, createEvent, nextTurn, silent } from '../spec-support/fakes.js';
import { GatewaySweep } from './gateway-sweep.js';

/** A set of due members; some of them cannot be begun. */
function create(
  count: number,
  redo: () => Promise<void> = async () => undefined,
  isAtWork: (member: string) => boolean = () => false,
  jobsAtMost = 3 * TAKEN_UP_AT_ONCE,
) {
  const due = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    due.set(inFlightMember(createEvent(`sub_${n}`, n), PROCESS), n);
  }
  const begun: string[] = [];
  const scripts: number[] = [];
  const inFlight: Partial<InFlightSet> = {
    listDue: async (nowMs, limit) =>
      [...due]
        .filter(([, dueAtMs]) => dueAtMs <= nowMs)
        .sort(([, left], [, right]) => left - right)
        .map(([member]) => member)
        .slice(0, limit),
    lookAgain: async (members, _, atMs) => {
      scripts.push(members.length);
      for (const member of members) due.set(member, atMs);
    },
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
    { isAtWork, jobsAtMost },
    silent,
  );
  return { sweep, due, begun, scripts };
}

const NOW_MS = 1_000_000;
const LATER_MS = NOW_MS + POLL_AGAIN_MS;

describe('the sweep of what is due at the gateway', () => {
  it('begins it again, and looks at it later, should its job be lost once more', async () => {
    const { sweep, due, begun } = create(3);
    await sweep.sweep(NOW_MS, LATER_MS);
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toHaveLength(3);
    expect([...due.values()]).toEqual([1, 2, 3].map(() => LATER_MS));
  });

  it('comes to what is behind more than it takes up, though none of that can be begun', async () => {
    let isAway = true;
    const { sweep, begun } = create(TAKEN_UP_AT_ONCE + 1, async () => {
      if (isAway) throw new Error('the first page cannot be begun');
    });
    await expect(sweep.sweep(NOW_MS, LATER_MS)).rejects.toThrow('cannot be begun');
    isAway = false;
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toEqual([
      inFlightMember(createEvent(`sub_${TAKEN_UP_AT_ONCE}`, TAKEN_UP_AT_ONCE), PROCESS),
    ]);
  });

  it('leaves alone what is at work, however long it waits', async () => {
    const { sweep, due, begun } = create(2, undefined, (member) => member.startsWith(at(0)));
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toEqual([inFlightMember(createEvent('sub_1', 1), PROCESS)]);
    expect([...due.values()]).toEqual([LATER_MS, LATER_MS]);
  });

  it('comes at once to what is behind all that is at work, in one script for each page', async () => {
    const count = 2 * TAKEN_UP_AT_ONCE + 1;
    const last = inFlightMember(createEvent(`sub_${count - 1}`, count - 1), PROCESS);
    const { sweep, begun, scripts } = create(count, undefined, (member) => member !== last);
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toEqual([last]);
    expect(scripts).toEqual([TAKEN_UP_AT_ONCE, TAKEN_UP_AT_ONCE, 1]);
  });

  it('begins no more than a page of it at once, and comes to the rest at its next poll', async () => {
    const { sweep, begun } = create(2 * TAKEN_UP_AT_ONCE);
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toHaveLength(TAKEN_UP_AT_ONCE);
    await sweep.sweep(NOW_MS, LATER_MS);
    expect(begun).toHaveLength(2 * TAKEN_UP_AT_ONCE);
  });

  it('ends also where nothing can be put off, after as much as can be at work', async () => {
    const { sweep, scripts } = create(TAKEN_UP_AT_ONCE, undefined, () => true);
    await sweep.sweep(NOW_MS, NOW_MS);
    expect(scripts).toHaveLength(4);
  });

  it('takes up no more at its start than memory holds', async () => {
    const { sweep, begun } = create(4 * TAKEN_UP_AT_ONCE, undefined, undefined, 600);
    await sweep.takeUp(NOW_MS, new AbortController().signal);
    expect(begun).toHaveLength(2 * TAKEN_UP_AT_ONCE);
  });

  it('takes up at its start what another process had in memory, and finds it at the next start', async () => {
    const count = TAKEN_UP_AT_ONCE + 1;
    const { sweep, due, begun } = create(count);
    for (const member of due.keys()) due.set(member, LATER_MS);
    const { signal } = new AbortController();
    await sweep.takeUp(NOW_MS, signal);
    expect(begun).toHaveLength(count);
    await sweep.takeUp(NOW_MS + 1, signal);
    expect(begun).toHaveLength(2 * count);
  });

  it('begins with that, and does not wait until it is due', async () => {
    const { sweep, due, begun } = create(1);
    for (const member of due.keys()) due.set(member, Date.now() + POLL_AGAIN_MS / 2);
    const stop = new AbortController();
    const running = sweep.run(stop.signal);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    stop.abort();
    await running;
    expect(begun).toHaveLength(1);
  });
});
