import { describe, expect, it } from 'vitest';
import type { Aggregate } from '#domain/decider';
import { COMMAND_RECORDED, type DomainEvent, type RecordedEvent } from '#domain/event';
import type { CommandExecutor } from '../commands/command-executor.js';
import { StatesAtRevision } from './states-at-revision.js';

type Counted = DomainEvent<'counter.counted.v1'>;

const counter: Aggregate<number, never, Counted, { code: string }> = {
  category: 'counter',
  decider: {
    initialState: 0,
    evolve: (state) => state + 1,
    decide: () => ({ accepted: true, events: [] }),
  },
};

const eventAt = (revision: number, type = 'counter.counted.v1'): RecordedEvent => ({
  id: `event-${revision}`,
  type,
  data: {},
  streamName: 'counter-1',
  revision,
  position: String(revision).padStart(20, '0'),
  metadata: {
    $correlationId: 'c',
    actor: 'app',
    appId: 'app_1',
    environment: 'test',
    occurredAt: '2026-01-01T00:00:00.000Z',
  },
});

/** A store whose counters count every event; it counts how often it was read. */
function handler() {
  const asked: (number | undefined)[] = [];
  const load = async (_: unknown, _id: string, options?: { toRevision?: number }) => {
    asked.push(options?.toRevision);
    return { state: (options?.toRevision ?? 0) + 1, revision: 0, position: null };
  };
  // The streams ask for nothing but a load.
  return { asked, commands: { load } as unknown as CommandExecutor };
}

describe('streams that are followed', () => {
  it('fold what goes by without asking the store', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    const states = [];
    for (const n of [0, 1, 2]) states.push(await streams.stateAt(counter, eventAt(n)));
    expect(states).toEqual([1, 2, 3]);
    expect(asked).toEqual([]);
  });

  it('read a stream up to the event when they come in the middle of it', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    expect(await streams.stateAt(counter, eventAt(5))).toBe(6);
    expect(await streams.stateAt(counter, eventAt(6))).toBe(7);
    expect(asked).toEqual([5]);
  });

  it('give the state of then for an event that comes again', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    for (const n of [0, 1, 2]) await streams.stateAt(counter, eventAt(n));
    expect(await streams.stateAt(counter, eventAt(2))).toBe(3);
    expect(await streams.stateAt(counter, eventAt(1))).toBe(2);
    expect(asked).toEqual([1]);
  });

  it('give the state of an earlier revision, and go on from the latest without reading', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    for (const n of [0, 1, 2]) await streams.stateAt(counter, eventAt(n));
    expect(await streams.stateAtRevision(counter, '1', 2)).toBe(3);
    expect(asked).toEqual([]);
    expect(await streams.stateAtRevision(counter, '1', 0)).toBe(1);
    expect(await streams.stateAt(counter, eventAt(3))).toBe(4);
    expect(asked).toEqual([0]);
  });

  it('keep what was read of another stream, so that its next event takes no reading', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    expect(await streams.stateAtRevision(counter, '1', 4)).toBe(5);
    expect(await streams.stateAt(counter, eventAt(5))).toBe(6);
    expect(asked).toEqual([4]);
  });

  it('pass over the record of a command, and read nothing for what is not asked for', async () => {
    const { asked, commands } = handler();
    const streams = new StatesAtRevision(commands, 10);
    streams.follow(counter, eventAt(0));
    streams.follow(counter, eventAt(1, COMMAND_RECORDED));
    expect(await streams.stateAt(counter, eventAt(2))).toBe(2);
    expect(asked).toEqual([]);
  });
});
