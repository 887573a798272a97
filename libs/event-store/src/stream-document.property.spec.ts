import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CommandContext } from './command-context.js';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import type { EventStore } from './event-store.js';
import { counter, type CounterCommand } from './spec-support/counter.js';
import { foldDocument } from './spec-support/fold-document.js';
import { MemoryEventStore } from './spec-support/memory-event-store.js';

const command: fc.Arbitrary<CounterCommand> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), amount: fc.integer({ min: -5, max: 400 }) }),
  fc.record({ kind: fc.constant('raise' as const), to: fc.integer({ min: 0, max: 4 }) }),
);

const step = fc.record({
  /** Whether another process does it, so that this one meets the stream later. */
  isOthers: fc.boolean(),
  stream: fc.constantFrom('a', 'a', 'b'),
  command,
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3')),
  // Most conditions are met: what is refused leaves nothing to go on from.
  ifMatch: fc.constantFrom(null, null, null, null, [0, 1, 2], [2, 3], []),
  /** The total from which on the stream is not the caller's. */
  mayActBelow: fc.constantFrom(3, 1_001, 1_001, 1_001, 1_001),
  minute: fc.nat(59),
  /** How many events the document lacks; it may lack all of them. */
  late: fc.constantFrom(0, 0, 0, 1, 2, 5),
  /** Whether fingerprints of keys mislead. */
  misleads: fc.constantFrom(false, false, true),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('commands that begin with documents of any age', () => {
  it.each([0, 1, 10])(
    'are answered as those that read, with %d streams in memory',
    async (size) => {
      const isTheSame = (steps: Step[]) => compare(steps, size);
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 14 }), isTheSame), {
        numRuns: 150,
      });
    },
  );
});

async function compare(steps: readonly Step[], cacheSize: number): Promise<void> {
  const [read, begun] = [new MemoryEventStore(), new MemoryEventStore()];
  let now: Step | undefined;
  const findDocument = async (_: string, id: string) => {
    const lastRevision = begun.events(`counter-${id}`).length - 1 - (now?.late ?? 0);
    if (lastRevision < 0) return undefined;
    const document = await foldDocument(begun, counter, id, lastRevision);
    return now?.misleads === true ? { ...document, commands: { mayHold: () => true } } : document;
  };
  // The command executor never subscribes.
  const reading = createCommandExecutor(read as unknown as EventStore, { cacheSize });
  const options = { cacheSize, findDocument };
  const beginning = createCommandExecutor(begun as unknown as EventStore, options);
  const others = [forgetful(begun), forgetful(read)] as const;
  for (const [number, each] of steps.entries()) {
    now = each;
    const [one, other] = each.isOthers ? others : [beginning, reading];
    expect(await run(one, each, number)).toEqual(await run(other, each, number));
  }
  for (const stream of ['a', 'b']) {
    expect(await beginning.load(counter, stream)).toEqual(await reading.load(counter, stream));
  }
}

function forgetful(store: MemoryEventStore): CommandExecutor {
  return createCommandExecutor(store as unknown as EventStore, { cacheSize: 0 });
}

/** @param number of the step, from which the ids of its events follow. */
async function run(executor: CommandExecutor, step: Step, number: number) {
  const { stream, command, key, ifMatch, minute, mayActBelow } = step;
  const context: CommandContext = {
    ...{ appId: 'app_1', environment: 'test', actor: 'app', correlationId: 'c' },
    now: `2026-01-31T10:${String(minute).padStart(2, '0')}:00.000Z`,
    eventIdsFrom: `step ${number}`,
    ...(key !== null && { commandId: key, commandHash: JSON.stringify(command) }),
    ...(ifMatch !== null && { ifMatch }),
  };
  const mayAct = ({ total }: { total: number }) => total < mayActBelow;
  return executor.execute(counter, stream, command, context, { mayAct });
}
