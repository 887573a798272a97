import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { UndecodableEvent } from '#event-store';
import { PARKED_RETRIED_AT_ONCE, SLOW_TICK_MS } from '../limits.js';
import { createGate } from './spec-support/gate.js';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import type { EventDispatcher } from './event-dispatcher.js';
import type { EventReader, ReadEvents } from './event-reader.js';
import type { InFlightWork } from './in-flight-work.js';
import { ParkedRetry } from './parked-retry.js';

const STREAM = 'subscription-sub_1';
const events = [2, 3, 4].map((n) => createEvent('sub_1', n, { revision: n }));

interface Fakes {
  readonly found?: ReadEvents;
  readonly redo?: () => Promise<void>;
}

function create({ found = { events, unreadable: [] }, redo }: Fakes = {}) {
  const log: string[] = [];
  const { gate, parked } = createGate();
  const reader: Partial<EventReader> = { readStream: async () => found };
  const inFlight: Partial<InFlightWork> = {
    redoStream: async (streamName) => {
      log.push(`redo ${streamName}`);
      await redo?.();
    },
  };
  const dispatcher: Partial<EventDispatcher> = {
    dispatch: async (dispatched: readonly RecordedEvent[]) => {
      log.push(`dispatch ${dispatched.map(({ revision }) => revision).join()}`);
    },
  };
  const retry = new ParkedRetry(
    gate,
    reader as EventReader,
    inFlight as InFlightWork,
    dispatcher as EventDispatcher,
    silent,
  );
  const park = (event: RecordedEvent, begunUpTo = '') =>
    gate.poison(event, new Error('a defect'), begunUpTo);
  return { retry, log, gate, parked, park };
}

const [first, second] = events as [RecordedEvent, RecordedEvent];

function unreadable(event: RecordedEvent): UndecodableEvent {
  return new UndecodableEvent({ ...event, undecodable: true, reason: 'unknown_type' });
}

describe('a parked stream that is tried again', () => {
  it('is given what it held back, after what is in flight of it, and goes on', async () => {
    const { retry, log, parked, park } = create();
    await park(first);
    retry.askForAll();
    await retry.retrySome(at(9));
    expect(log).toEqual([`redo ${STREAM}`, 'dispatch 2,3,4']);
    expect(parked.size).toBe(0);
  });

  it('is not given again what was begun before it was parked: that has ended, or is in flight', async () => {
    const { retry, log, park } = create();
    await park(first, second.position);
    retry.askForAll();
    await retry.retrySome(at(9));
    expect(log).toEqual([`redo ${STREAM}`, 'dispatch 4']);
  });

  it('goes on up to the next event that cannot be read, and waits there', async () => {
    const { retry, log, parked, park } = create({
      found: { events: [first], unreadable: [unreadable(second)] },
    });
    await park(first);
    retry.askForAll();
    await retry.retrySome(at(9));
    expect(log).toContain('dispatch 2');
    expect(parked.get(STREAM)).toMatchObject({ revision: 3 });
  });

  it('is given nothing while what is in flight of it cannot be read', async () => {
    const { retry, log, parked, park, gate } = create({
      redo: () => gate.poison(first, unreadable(first), at(9)),
    });
    await park(first, at(9));
    retry.askForAll();
    await retry.retrySome(at(9));
    expect(log).toEqual([`redo ${STREAM}`]);
    expect(parked.has(STREAM)).toBe(true);
  });

  it('stays parked when the world fails, and does not stop the others', async () => {
    let failures = 1;
    const { retry, log, parked, park } = create({
      redo: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('the store is away');
      },
    });
    await park(first);
    await park(createEvent('sub_2', 8));
    retry.askForAll();
    await retry.retrySome(at(9));
    expect([...parked.keys()]).toEqual([STREAM]);
    expect(log).toContain('redo subscription-sub_2');
  });

  it('waits for the timer, or for an operator; many take turns', async () => {
    const { retry, log, park } = create();
    const nowMs = Date.now();
    expect(retry.isDue(nowMs)).toBe(false);
    for (let n = 0; n <= PARKED_RETRIED_AT_ONCE; n += 1) await park(createEvent(`sub_${n}`, n));
    expect(retry.isDue(nowMs)).toBe(false);
    expect(retry.isDue(nowMs + 2 * SLOW_TICK_MS)).toBe(true);
    await retry.retrySome(at(99));
    expect(log.filter((line) => line.startsWith('redo'))).toHaveLength(PARKED_RETRIED_AT_ONCE);
    await retry.retrySome(at(99));
    expect(retry.isDue(nowMs)).toBe(false);
    await park(first);
    retry.askForAll();
    expect(retry.isDue(nowMs)).toBe(true);
  });
});
