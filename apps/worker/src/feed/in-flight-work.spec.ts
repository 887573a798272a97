import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { type EventStore, UndecodableEvent } from '#event-store';
import { inFlightMember, PROCESS, readInFlight, resendMember } from '#worker-state';
import { createGate } from './spec-support/gate.js';
import { at, createEvent, nextTurn } from '../spec-support/fakes.js';
import { EventConsumers } from './event-consumer.js';
import type { EventDispatcher } from './event-dispatcher.js';
import { EventReader } from './event-reader.js';
import type { InFlightSet, Member } from '../redis/in-flight-set.js';
import { InFlightWork } from './in-flight-work.js';

const events = [1, 2, 3].map((n) => createEvent(`sub_${n}`, n));

interface Fakes {
  readonly unreadable?: string;
  /** The members in flight in Redis. */
  readonly there?: readonly string[];
}

function create({ unreadable, there = [] }: Fakes = {}) {
  const log: string[] = [];
  const reading = { now: 0, most: 0 };
  const store: Partial<EventStore> = {
    async *readStream(streamName) {
      reading.most = Math.max(reading.most, (reading.now += 1));
      await nextTurn();
      reading.now -= 1;
      const event = events.find((each) => each.streamName === streamName);
      if (event === undefined) return;
      const { id, type, revision, position } = event;
      if (streamName === unreadable) {
        const item = { id, type, revision, position, streamName } as const;
        throw new UndecodableEvent({ ...item, undecodable: true, reason: 'newer_version' });
      }
      yield event;
    },
  };
  const dispatcher: Partial<EventDispatcher> = {
    redo: async (toRedo, inFlight, begunUpTo) => {
      const [{ target } = { target: '' }] = inFlight;
      log.push(`${target} up to ${Number(begunUpTo)}: ${toRedo.map(({ id }) => id).join()}`);
    },
  };
  const inFlight: Partial<InFlightSet> = {
    async *pages() {
      yield there.map((member) => ({ member, dueAtMs: null }));
    },
    begin: async (members: readonly Member[]) => {
      log.push(`begin ${members.length}`);
      return [];
    },
  };
  const consumers = new EventConsumers();
  consumers.add({
    categories: [],
    plan: async () => undefined,
    perform: async () => undefined,
    resume: async () => undefined,
    ownsTarget: () => true,
    endLost: async ({ member }) => void log.push(`end ${member}`),
  });
  const { gate, parked } = createGate();
  const work = new InFlightWork(
    inFlight as InFlightSet,
    new EventReader(store as EventStore),
    dispatcher as EventDispatcher,
    gate,
    consumers,
  );
  return { work, log, parked, reading };
}

const readAll = (all: readonly string[]) => all.flatMap((member) => readInFlight(member) ?? []);
const [first, second, third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
const resent = { streamName: first.streamName, revision: 0, messageId: 'msg_a' };
const members = [
  inFlightMember(first, 'whe_1', 'msg_a'),
  inFlightMember(first, 'whe_1', 'msg_b'),
  inFlightMember(second, PROCESS),
  inFlightMember(third, 'whe_1', 'msg_a'),
];

describe('what was in flight when Redis was lost', () => {
  it('is begun again for each target in the order of the store, each event once', async () => {
    const { work, log } = create();
    await work.redoEach(readAll(members), at(9));
    expect(log).toEqual(['whe_1 up to 9: event-1,event-3', 'process up to 9: event-2']);
  });

  it('parks the stream of an event that cannot be read, and goes on with the others', async () => {
    const { work, log, parked } = create({ unreadable: first.streamName });
    await work.redoEach(readAll(members), at(9));
    expect(parked.get(first.streamName)).toMatchObject({ revision: 0, begunUpTo: at(9) });
    expect(log).toEqual(['whe_1 up to 9: event-3', 'process up to 9: event-2']);
  });

  it('is named by Redis again, and what had ended is not any more', async () => {
    const ended = inFlightMember(second, 'whe_1', 'msg_ended');
    const later = inFlightMember(createEvent('sub_4', 40), 'whe_1', 'msg_later');
    const { work, log } = create({ there: [members[0]!, ended, later] });
    await work.restore(
      members.map((member) => ({ member, dueAtMs: null })),
      at(9),
    );
    expect(log).toEqual([`end ${ended}`, 'begin 4']);
  });

  it('is of a stream, and of what is sent again of it nothing', async () => {
    const again = resendMember({ position: at(7), revision: 2 }, 'whe_1', resent, 0);
    const { work, log } = create({ there: [members[0]!, members[3]!, again] });
    await work.redoStream(first.streamName, at(9));
    expect(log).toEqual(['whe_1 up to 9: event-1']);
    const { work: other, log: nothing } = create({ there: [again] });
    await other.redoStream(first.streamName, at(9));
    expect(nothing).toEqual([]);
  });

  it('is read many at a time', async () => {
    const { work, reading } = create();
    const many = Array.from({ length: 100 }, (_, n) =>
      inFlightMember(createEvent(`sub_${n}`, n), 'whe_1', 'msg_a'),
    );
    await work.redoEach(readAll(many), at(100));
    expect(reading.most).toBeGreaterThan(16);
  });
});
