import { describe, expect, it } from 'vitest';
import { Fault } from '#platform';
import { type InFlight, inFlightMember, readInFlight } from '#worker-state';
import { createGate } from './spec-support/gate.js';
import { at, createEvent, nextTurn } from '../spec-support/fakes.js';
import { type EventConsumer, EventConsumers, type Planned } from './event-consumer.js';
import { EventDispatcher } from './event-dispatcher.js';

/** A consumer that notes its calls. */
function createConsumer(name: string, log: string[], more: Partial<EventConsumer<string>> = {}) {
  const consumer: EventConsumer<string> = {
    categories: ['subscription'],
    plan: async ({ id, position }) => {
      // The first one takes longest, so that the order is not that of the planning.
      if (position === at(1)) await nextTurn();
      log.push(`${name} plans ${id}`);
      return id;
    },
    perform: async (planned) => {
      log.push(`${name} does ${planned.map(({ plan }) => plan).join()}`);
    },
    resume: async () => undefined,
    ownsTarget: (target) => target === name,
    endLost: async () => undefined,
    ...more,
  };
  return consumer;
}

const readAll = (...members: string[]) => members.flatMap((member) => readInFlight(member) ?? []);

function createDispatcher(...consumers: EventConsumer<string>[]) {
  const registry = new EventConsumers();
  for (const consumer of consumers) registry.add(consumer);
  const { gate, parked } = createGate();
  return { dispatcher: new EventDispatcher(registry, gate), parked };
}

const unavailable = new Fault('unavailable', 'the store is away', { retryable: true });
const failsOn = (position: number, error: unknown): Partial<EventConsumer<string>> => ({
  plan: async (event) => {
    if (event.position === at(position)) throw error;
    return event.id;
  },
});

describe('events on their way to the consumers', () => {
  it('are planned by all before any acts, and done in the order of the store', async () => {
    const log: string[] = [];
    const { dispatcher } = createDispatcher(createConsumer('a', log), createConsumer('b', log));
    await dispatcher.dispatch([
      createEvent('sub_1', 1),
      createEvent('sub_2', 2),
      createEvent('sub_1', 3),
    ]);
    expect(log.slice(-2)).toEqual([
      'a does event-1,event-2,event-3',
      'b does event-1,event-2,event-3',
    ]);
    expect(log.filter((line) => line.includes('plans'))).toHaveLength(6);
    expect(log.findIndex((line) => line.includes('does'))).toBe(6);
  });

  it('are planned by those alone who take streams of their category', async () => {
    const log: string[] = [];
    const other = createConsumer('b', log, { categories: ['payment'] });
    const { dispatcher } = createDispatcher(createConsumer('a', log), other);
    await dispatcher.dispatch([createEvent('sub_1', 1)]);
    expect(log.filter((line) => line.includes('plans'))).toEqual(['a plans event-1']);
  });

  it('park their stream alone when one consumer cannot plan them, and no consumer acts on them', async () => {
    const log: string[] = [];
    const failing = createConsumer('b', log, failsOn(1, new Error('a defect')));
    const { dispatcher, parked } = createDispatcher(createConsumer('a', log), failing);
    await dispatcher.dispatch([
      createEvent('sub_1', 1),
      createEvent('sub_2', 2),
      createEvent('sub_1', 3),
    ]);
    expect([...parked.values()]).toMatchObject([
      { streamName: 'subscription-sub_1', position: at(1), reason: 'a defect' },
    ]);
    expect(log).toContain('a does event-2');
    expect(log).toContain('b does event-2');
  });

  it('come again wholly when the world failed: nothing is parked, and nothing is done', async () => {
    const log: string[] = [];
    const failing = createConsumer('a', log, failsOn(2, unavailable));
    const { dispatcher, parked } = createDispatcher(failing, createConsumer('b', log));
    const dispatched = dispatcher.dispatch([createEvent('sub_1', 1), createEvent('sub_2', 2)]);
    await expect(dispatched).rejects.toBe(unavailable);
    expect(parked.size).toBe(0);
    expect(log.filter((line) => line.includes('does'))).toEqual([]);
  });

  it('leave nothing under way when a consumer fails', async () => {
    const ended: string[] = [];
    const failing = createConsumer('a', [], { perform: () => Promise.reject(unavailable) });
    const slow = createConsumer('b', [], {
      perform: async () => {
        await nextTurn();
        ended.push('b');
      },
    });
    const { dispatcher } = createDispatcher(failing, slow);
    await expect(dispatcher.dispatch([createEvent('sub_1', 1)])).rejects.toBe(unavailable);
    expect(ended).toEqual(['b']);
  });

  it('are held back while their stream is parked, and park it when they cannot be read', async () => {
    const { dispatcher, parked } = createDispatcher(createConsumer('a', []));
    const { id, type, streamName, revision, position } = createEvent('sub_1', 1);
    const unreadable = { id, type, streamName, revision, position } as const;
    const admitted = await dispatcher.admit([
      { ...unreadable, undecodable: true, reason: 'unknown_type' },
      createEvent('sub_1', 2),
      createEvent('sub_2', 3),
    ]);
    expect(admitted.map((event) => event.position)).toEqual([at(3)]);
    expect([...parked.keys()]).toEqual(['subscription-sub_1']);
  });

  it('are begun again by the consumer that had them in flight, and by no other', async () => {
    const redone: (readonly InFlight[] | undefined)[] = [];
    const owner = createConsumer('whe_1', [], {
      perform: async (planned: readonly Planned<string>[], _gate, inFlight) => {
        expect(planned.map(({ plan }) => plan)).toEqual(['event-4']);
        redone.push(inFlight);
      },
    });
    const other = createConsumer('process', [], {
      perform: () => Promise.reject(new Error('not its')),
    });
    const { dispatcher } = createDispatcher(other, owner);
    const event = createEvent('sub_1', 4);
    const inFlight = readAll(inFlightMember(event, 'whe_1', 'msg_1'));
    await dispatcher.redo([event], inFlight, at(4));
    expect(redone).toEqual([inFlight]);
  });

  it('that cannot be begun again park their stream, for what is in flight of them alone', async () => {
    const owner = createConsumer('whe_1', [], {
      plan: () => Promise.reject(new Error('a defect')),
    });
    const { dispatcher, parked } = createDispatcher(owner);
    const event = createEvent('sub_1', 4);
    const inFlight = readAll(inFlightMember(event, 'whe_1', 'msg_1'));
    await dispatcher.redo([event], inFlight, at(9));
    expect(parked.get(event.streamName)).toMatchObject({ position: at(4), begunUpTo: at(9) });
  });
});
