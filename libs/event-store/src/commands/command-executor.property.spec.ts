import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Fault } from '#platform';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import { counter, type CounterCommand } from '../streams/spec-support/counter.js';
import type { CommandContext } from './command-context.js';
import type { EventStore } from '../streams/event-store.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const command: fc.Arbitrary<CounterCommand> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), amount: fc.integer({ min: -5, max: 200 }) }),
  fc.record({ kind: fc.constant('raise' as const), to: fc.integer({ min: 0, max: 4 }) }),
);

const step = fc.record({
  handler: fc.integer({ min: 0, max: 1 }),
  stream: fc.constantFrom('a', 'b'),
  command,
  /** Some commands share a key: a repetition, or a reuse when the command differs. */
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'k4')),
});

describe('handlers that remember, racing on the same streams', () => {
  it('leave the state that a fold from zero gives, and act once for each key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), race),
      { numRuns: 100 },
    );
  });
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Each round's commands run at the same time; the rounds follow each other. */
async function race(rounds: Step[][]): Promise<void> {
  const store = new MemoryEventStore();
  store.onAppend = () => Promise.resolve();
  // The command executor never subscribes.
  const asStore = store as unknown as EventStore;
  // Two streams are in play; to make room for the thousands of a program takes longer than a race.
  const cacheSize = 10;
  const handlers = [0, 1].map(() => createCommandExecutor(asStore, { cacheSize }));
  for (const round of rounds) {
    await Promise.all(round.map((one) => run(handlers, one)));
  }
  for (const stream of ['a', 'b']) {
    const truth = await createCommandExecutor(asStore, { cacheSize: 0 }).load(counter, stream);
    for (const handler of handlers) expect(await handler.load(counter, stream)).toEqual(truth);
    expectOneActPerKey(store, `counter-${stream}`);
  }
}

async function run(handlers: CommandExecutor[], { handler, stream, command, key }: Step) {
  const context: CommandContext = {
    appId: 'app_1',
    environment: 'test',
    actor: 'app',
    correlationId: 'c',
    now: '2026-01-31T10:00:00.000Z',
    ...(key !== null && { commandId: key, commandHash: JSON.stringify(command) }),
  };
  try {
    await handlers[handler]?.execute(counter, stream, command, context);
  } catch (error) {
    // Giving up on a contended stream is allowed; it must have left nothing.
    if (!(error instanceof Fault && error.code === 'conflict')) throw error;
  }
}

/** The events of one key stand side by side: they are those of one append. */
function expectOneActPerKey(store: MemoryEventStore, streamName: string): void {
  const lastOfKey = new Map<string, { revision: number; hash: string | undefined }>();
  for (const { revision, metadata } of store.events(streamName)) {
    const { commandId, commandHash: hash } = metadata;
    if (commandId === undefined) continue;
    const last = lastOfKey.get(commandId);
    if (last) expect({ revision: revision - 1, hash }).toEqual(last);
    lastOfKey.set(commandId, { revision, hash });
  }
}
