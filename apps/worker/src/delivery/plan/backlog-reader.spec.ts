import { describe, expect, it, vi } from 'vitest';
import { type EventBatch, type EventStore, Partitions } from '#event-store';
import type { RunningEndpoint } from '#tenancy';
import type { CursorMoves } from '../../redis/cursor-set.js';
import { BACKLOG_HELD_UP_FOR_MS, BACKLOG_PASS_MS } from '../../limits.js';
import { at, createLease, silent } from '../../spec-support/fakes.js';
import type { BacklogPass } from './backlog-intake.js';
import { PastEvents } from '../../feed/past-events.js';
import { BacklogReader } from './backlog-reader.js';

/** Batches of a store with so many positions, each of which takes half of the time of a pass to read. */
const LAST = 100;

function create(cursors: Map<string, string>, checkpoint = at(LAST)) {
  const store: Pick<EventStore, 'subscribe'> = {
    async *subscribe({ after, signal, onCaughtUp }) {
      for (let n = Number(after) + 1; n <= LAST && !signal.aborted; n += 1) {
        vi.advanceTimersByTime(BACKLOG_PASS_MS / 2);
        yield { events: [], upTo: at(n) };
      }
      onCaughtUp?.();
    },
  };
  const passes: { from: number[] }[] = [];
  const taken: EventBatch[] = [];
  const heldUp = new Set<string>();
  const intake = {
    take: async ({ endpoints }: BacklogPass, batch: EventBatch) => {
      const { upTo } = batch;
      taken.push(batch);
      passes.at(-1)!.from.push(Number(upTo));
      for (const id of endpoints.keys()) {
        if (heldUp.has(id)) endpoints.delete(id);
        else if ((cursors.get(id) ?? '') < upTo) cursors.set(id, upTo);
      }
      return [...heldUp];
    },
    end: async () => undefined,
    until: checkpoint,
  };
  const set = { all: cursors, loads: 1, move: async (_: CursorMoves) => undefined };
  const apps = {
    findEndpoint: async (endpointId: string) => ({ endpointId }) as RunningEndpoint,
  };
  const past = new PastEvents(store, new Partitions(1), createLease());
  const reader = new BacklogReader(
    ...([apps, set, { hasRoom: () => true }, intake, past, silent] as const),
  );
  const pass = async () => {
    passes.push({ from: [] });
    await reader.catchUp(new AbortController().signal);
    return passes.at(-1)!.from;
  };
  return { pass, heldUp, taken };
}

describe('backlogged endpoints', () => {
  it('are read for in turn: one that is days behind holds up none that is nearly there', async () => {
    vi.useFakeTimers();
    const { pass } = create(
      new Map([
        ['whe_far', at(3)],
        ['whe_near', at(98)],
      ]),
    );
    expect(await pass()).toEqual([4, 5]);
    expect(await pass()).toEqual([99, 100]);
    expect(await pass()).toEqual([6, 7]);
    vi.useRealTimers();
  });

  it('are given nothing behind the checkpoint, which the feed itself brings them', async () => {
    vi.useFakeTimers();
    const { pass } = create(new Map([['whe_1', at(3)]]), at(4));
    expect(await pass()).toEqual([4]);
    vi.useRealTimers();
  });

  it('are not read for while what comes next cannot be made', async () => {
    vi.useFakeTimers();
    const { pass, heldUp } = create(new Map([['whe_1', at(3)]]));
    heldUp.add('whe_1');
    expect(await pass()).toEqual([4]);
    expect(await pass()).toEqual([]);
    vi.advanceTimersByTime(BACKLOG_HELD_UP_FOR_MS + 1);
    expect(await pass()).toEqual([4]);
    vi.useRealTimers();
  });
});
