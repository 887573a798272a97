import { expect, it } from 'vitest';
import fc from 'fast-check';
import { accept, type Aggregate } from '#domain/decider';
import type { DomainEvent, Instant } from '#domain/event';
import { createCommandExecutor } from './command-executor.js';
import type { EventStore } from '../streams/event-store.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

/** Notes when it was asked for; at the very time of the last note there is nothing to do. */
const notes: Aggregate<Instant, { now: Instant }, DomainEvent<'note.taken.v1', Instant>, never> = {
  category: 'note',
  decider: {
    initialState: '',
    evolve: (_state, { data }) => data,
    decide: ({ now }, last) =>
      now === last ? accept() : accept({ type: 'note.taken.v1', data: now }),
  },
};
const SKEW_MS = 5_000;
const step = fc.record({
  machine: fc.integer({ min: 0, max: 2 }),
  passedMs: fc.integer({ min: 0, max: 3_000 }),
});
const skews = fc.array(fc.integer({ min: -SKEW_MS, max: SKEW_MS }), {
  minLength: 3,
  maxLength: 3,
});

it('no time in an event is before what its stream knows, however the clocks of machines differ', async () => {
  const rounds = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(skews, rounds, async (skewsMs, list) => {
      const store = new MemoryEventStore();
      store.onAppend = () => Promise.resolve();
      // The command executor never subscribes.
      const asStore = store as unknown as EventStore;
      const machines = skewsMs.map(() => createCommandExecutor(asStore, { cacheSize: 4 }));
      let trueMs = Date.parse('2026-01-31T10:00:00.000Z');
      for (const round of list) {
        const acting = round.map(async ({ machine, passedMs }) => {
          trueMs += passedMs;
          const now = new Date(trueMs + (skewsMs[machine] ?? 0)).toISOString();
          await machines[machine]?.execute(notes, '1', { now }, contextAt(now));
        });
        await Promise.all(acting);
      }
      expectNoStepBack(store);
    }),
    { numRuns: 200 },
  );
});

function contextAt(now: Instant) {
  return {
    ...{ appId: 'app_1', environment: 'test' as const, actor: 'app', correlationId: 'c' },
    now,
  };
}

function expectNoStepBack(store: MemoryEventStore): void {
  let known: Instant = '';
  for (const { data, metadata } of store.events('note-1')) {
    expect(data).toBe(metadata.occurredAt);
    expect(metadata.occurredAt >= known).toBe(true);
    known = metadata.occurredAt;
  }
}
