import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { type EventStore, UndecodableEvent } from '#event-store';
import { at, createEvent } from '../spec-support/fakes.js';
import type { EventDispatcher } from './event-dispatcher.js';
import { inFlightMember, PROCESS } from './in-flight.js';
import type { InFlightSet } from './in-flight-set.js';
import { InFlightWork } from './in-flight-work.js';
import { ProgressNotifier } from './progress-notifier.js';

const events = [1, 2, 3].map((n) => createEvent(`sub_${n}`, n));

function create(unreadable?: string) {
  const log: string[] = [];
  const store: Partial<EventStore> = {
    async *readStream(streamName) {
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
    admit: async (items) => {
      log.push(`park ${items.map(({ streamName }) => streamName).join()}`);
      return [];
    },
    redo: async (toRedo, inFlight) => {
      log.push(`${inFlight[0]?.target ?? ''}: ${toRedo.map(({ id }) => id).join()}`);
    },
  };
  const notifier = new ProgressNotifier();
  const announced: RecordedEvent[] = [];
  notifier.observe({ onProcessed: () => undefined, onStillInFlight: (e) => announced.push(e) });
  const work = new InFlightWork(
    store as EventStore,
    // What was in flight is given by the backup here.
    {} as InFlightSet,
    dispatcher as EventDispatcher,
    notifier,
  );
  return { work, log, announced };
}

const [first, second, third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
const members = [
  inFlightMember(first, 'whe_1', 'a'),
  inFlightMember(first, 'whe_1', 'b'),
  inFlightMember(second, PROCESS),
  inFlightMember(third, 'whe_1', 'a'),
];

describe('what was in flight when Redis was lost', () => {
  it('is begun again for each target in the order of the store, each event once', async () => {
    const { work, log, announced } = create();
    await work.redo(members);
    expect(log).toEqual(['whe_1: event-1,event-3', `${PROCESS}: event-2`]);
    expect(announced.map(({ position }) => position)).toEqual([at(2)]);
  });

  it('parks the stream of an event that cannot be read, and goes on with the others', async () => {
    const { work, log } = create(first.streamName);
    await work.redo(members);
    expect(log).toContain(`park ${first.streamName}`);
    expect(log).toContain('whe_1: event-3');
  });
});
