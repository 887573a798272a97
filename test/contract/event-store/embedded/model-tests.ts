/** Random histories, run against the server and against the model: they never differ. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  BACKWARDS,
  END,
  ErrorType,
  jsonEvent,
  streamNameFilter,
  type AppendExpectedRevision,
} from '@eventstore/db-client';
import fc from 'fast-check';
import { eventually } from '../../../support/eventually.js';
import { collect } from '../subject.js';
import { EventStoreModel, type Expected, type ModelMetadata, type ModelOutcome } from './model.js';
import { RealStore } from './real-store.js';

let store: RealStore;

type Step =
  | { act: 'append'; stream: number; expected: Expected; ids: number[] }
  | {
      act: 'softDelete' | 'tombstone';
      stream: number;
      expected: Exclude<Expected, 'stream_exists'>;
    }
  | { act: 'setMetadata'; stream: number; metadata: ModelMetadata }
  | { act: 'read'; stream: number }
  | { act: 'restart' };

const stream = fc.integer({ min: 0, max: 2 });
const revision = fc.integer({ min: 0, max: 8 });
const expected: fc.Arbitrary<Expected> = fc.oneof(
  fc.constantFrom<Expected[]>('any', 'no_stream', 'stream_exists'),
  revision,
);
const definite = fc.oneof(fc.constantFrom('any' as const, 'no_stream' as const), revision);
/** Few ids, so that repetitions, whole and in part, are frequent. */
const ids = fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 3 });
const metadata: fc.Arbitrary<ModelMetadata> = fc.oneof(
  fc.constant({}),
  fc.record({ maxCount: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ truncateBefore: fc.integer({ min: 0, max: 8 }) }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ act: fc.constant('append' as const), stream, expected, ids }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('softDelete' as const), stream, expected: definite }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('tombstone' as const), stream, expected: definite }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('setMetadata' as const), stream, metadata }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('read' as const), stream }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('restart' as const) }) },
);

/** The test of so many histories. */
export function testModel(numRuns: number, limitMs: number): void {
  beforeAll(async () => {
    store = await RealStore.start();
  });
  afterAll(async () => store.remove());

  it('the server and the model never differ', () => compare(numRuns), limitMs);
}

async function compare(numRuns: number): Promise<void> {
  const histories = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const run = new Run();
      for (const next of steps) await run.take(next);
      await run.compareAll();
      await run.compareSubscription();
    }),
    { numRuns, endOnFailure: true },
  );
}

/** One history: streams of its own, and the model that goes with them. */
class Run {
  readonly #tag = `model_${randomUUID().replaceAll('-', '')}`;
  readonly #model = new EventStoreModel();
  readonly #ids = Array.from({ length: 12 }, () => randomUUID());

  async take(step: Step): Promise<void> {
    switch (step.act) {
      case 'append': {
        const { expected: at } = step;
        const chosen = step.ids.map((n) => this.#ids[n]!);
        const outcome = this.#model.append(this.#name(step.stream), at, chosen);
        const events = chosen.map((id) => jsonEvent({ type: 'model.v1', data: {}, id }));
        const appended = store.client.appendToStream(this.#name(step.stream), events, {
          expectedRevision: toExpectedRevision(at),
        });
        const found = await toOutcome(appended.then((result) => result.nextExpectedRevision));
        if (chosen.length === 0 && outcome.kind === 'appended') expect(found.kind).toBe('appended');
        else expect(found).toEqual(outcome);
        return;
      }
      case 'softDelete':
      case 'tombstone': {
        const name = this.#name(step.stream);
        const outcome = this.#model[step.act](name, step.expected);
        const at = toExpectedRevision(step.expected);
        const options = { expectedRevision: at === 'stream_exists' ? 'any' : at } as const;
        const done =
          step.act === 'tombstone'
            ? store.client.tombstoneStream(name, options)
            : store.client.deleteStream(name, options);
        expect((await toOutcome(done.then(() => 0n))).kind).toBe(outcome.kind);
        return;
      }
      case 'setMetadata': {
        const name = this.#name(step.stream);
        const outcome = this.#model.setMetadata(name, step.metadata);
        const { maxCount, truncateBefore } = step.metadata;
        const set = store.client.setStreamMetadata(name, {
          ...(maxCount === undefined ? {} : { maxCount }),
          ...(truncateBefore === undefined ? {} : { truncateBefore: Number(truncateBefore) }),
        });
        expect((await toOutcome(set.then(() => 0n))).kind).toBe(outcome.kind);
        return;
      }
      case 'read':
        await this.#compareStream(this.#name(step.stream));
        return;
      case 'restart':
        this.#model.restart();
        await store.restart();
        return;
    }
  }

  /** $all has the events of the model, in its order. */
  async compareAll(): Promise<void> {
    const found: string[] = [];
    for await (const { event } of store.client.readAll()) {
      if (event?.streamId.includes(this.#tag)) found.push(label(event.streamId, event.revision));
    }
    expect(found).toEqual(this.#labels(() => true));
  }

  /** A subscription with a prefix filter brings the same, without the metadata. */
  async compareSubscription(): Promise<void> {
    const found: string[] = [];
    const filter = streamNameFilter({ prefixes: [this.#tag] });
    const subscription = store.client.subscribeToAll({ filter });
    let isLive = false;
    subscription.on('caughtUp', () => (isLive = true));
    subscription.on('data', ({ event }) => found.push(label(event!.streamId, event!.revision)));
    await eventually(() => isLive);
    await subscription.unsubscribe();
    expect(found).toEqual(this.#labels((name) => !name.startsWith('$$')));
  }

  async #compareStream(name: string): Promise<void> {
    const outcome = this.#model.read(name);
    const read = await Promise.allSettled([
      collect(store.client.readStream(name)),
      collect(store.client.readStream(name, { direction: BACKWARDS, fromRevision: END })),
    ]);
    const [forwards, backwards] = read.map((result) =>
      result.status === 'fulfilled'
        ? result.value.map(({ event }) => Number(event?.revision))
        : (result.reason as { type: string }).type,
    );
    if (outcome === 'deleted') expect(forwards).toBe(ErrorType.STREAM_DELETED);
    else if (outcome === 'not-found') expect(forwards).toBe(ErrorType.STREAM_NOT_FOUND);
    else {
      expect(forwards).toEqual(outcome);
      expect(backwards).toEqual([...outcome].reverse());
    }
  }

  #labels(isWanted: (stream: string) => boolean): string[] {
    return this.#model.log
      .filter((event) => isWanted(event.stream))
      .map((event) => `${event.stream} ${event.revision}`);
  }

  #name(index: number): string {
    return `${this.#tag}-${index}`;
  }
}

function label(streamName: string, at: bigint): string {
  return `${streamName} ${at > 2n ** 53n ? 'tombstone' : at}`;
}

function toExpectedRevision(at: Expected): AppendExpectedRevision {
  return typeof at === 'number' ? BigInt(at) : at;
}

async function toOutcome(done: Promise<bigint>): Promise<ModelOutcome> {
  try {
    return { kind: 'appended', revision: Number(await done) };
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === ErrorType.WRONG_EXPECTED_VERSION) return { kind: 'wrong-version' };
    if (type === ErrorType.STREAM_DELETED) return { kind: 'stream-deleted' };
    throw error;
  }
}
