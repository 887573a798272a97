import { describe, expect, it } from 'vitest';
import type { ParkedEntry } from '#worker-state';
import type { RecordedEvent } from '#domain/event';
import { type FeedItem, Partitions } from '#event-store';
import type { RunningEndpoint } from '#tenancy';
import type { CursorMoves, CursorSet } from '../../redis/cursor-set.js';
import type { FeedCheckpoint } from '../../redis/feed-checkpoint.js';
import type { PartitionFeed } from '../../feed/partition-feed.js';
import { createGate } from '../../feed/spec-support/gate.js';
import { at, createEvent } from '../../spec-support/fakes.js';
import type { DeliveryIntake } from '../queue/delivery-intake.js';
import { InFlightLimit } from './in-flight-limit.js';
import { EndpointQueues } from '../queue/endpoint-queue.js';
import { BacklogIntake, type BacklogPass } from './backlog-intake.js';
import type { OutgoingMessages } from '../send/outgoing-messages.js';

const ENDPOINT = {
  ...{ endpointId: 'whe_1', appId: 'app_1', eventTypes: ['*'] },
  createdAt: '2025-01-01T00:00:00.000Z',
} as unknown as RunningEndpoint;

const parked = ({ streamName, revision }: RecordedEvent, begunUpTo = ''): ParkedEntry => ({
  ...{ streamName, revision, position: at(1), type: 'x', reason: 'r', release: 'r1', begunUpTo },
});

/** An endpoint that is backlogged from position 4, and an act while messages are planned. */
function create(meanwhile: () => void = () => undefined) {
  const { gate, parked: streams } = createGate();
  const cursors = { all: new Map([['whe_1', at(4)]]), loads: 1, moves: 0 };
  const move = async (moves: CursorMoves) => {
    cursors.moves += 1;
    for (const [id, after] of moves) {
      if (after === null) cursors.all.delete(id);
      else cursors.all.set(id, after);
    }
  };
  const set = Object.assign(cursors, { move }) as unknown as CursorSet;
  const checkpoint = { position: at(50) } as FeedCheckpoint;
  const apps = { listEndpoints: async () => [ENDPOINT] };
  const messages: Partial<OutgoingMessages> = {
    planAllAgain: async (items) => {
      meanwhile();
      return items.map((event) => ({ event, plan: toMessages(event) }));
    },
  };
  const begun: number[] = [];
  const intake: Partial<DeliveryIntake> = {
    begin: async (all) => void begun.push(...all.map(([{ position }]) => Number(position))),
  };
  const { position } = checkpoint;
  const feed: Partial<PartitionFeed> = { position, exclusively: (act) => act() };
  const lag = new BacklogIntake(
    set,
    new InFlightLimit(apps, set, new EndpointQueues(), checkpoint, new Partitions(1)),
    messages as OutgoingMessages,
    intake as DeliveryIntake,
    feed as PartitionFeed,
    gate,
  );
  const pass: BacklogPass = {
    ...{ endpoints: new Map([['whe_1', ENDPOINT]]), loads: 1, unmoved: new Map() },
  };
  return { lag, pass, streams, cursors, begun };
}

/** None of an unreadable event. */
function toMessages(event: FeedItem) {
  if ('undecodable' in event) return null;
  const { position, type } = event;
  const message = { id: `msg_${position}`, type, subject: event.streamName, sequence: 1 };
  return [{ ...message, player: 'player-1', open: async () => '{}', event }];
}

const events = (...numbers: number[]) => numbers.map((n) => createEvent(`sub_${n}`, n));
const placeIn = ({ all }: { all: ReadonlyMap<string, string> }) => Number(all.get('whe_1'));

describe('what is read again for a backlogged endpoint', () => {
  it('is begun, and its cursor stands behind it', async () => {
    const { lag, pass, cursors, begun } = create();
    expect(await lag.take(pass, { events: events(5, 6), upTo: at(9) })).toEqual([]);
    expect([begun, placeIn(cursors)]).toEqual([[5, 6], 9]);
  });

  it('leaves to a parked stream what that begins when it goes on', async () => {
    const { lag, pass, cursors, begun, streams } = create();
    const [held] = events(5);
    streams.set(held!.streamName, parked(held!));
    await lag.take(pass, { events: events(5, 6), upTo: at(9) });
    expect([begun, placeIn(cursors)]).toEqual([[6], 9]);
  });

  it('leaves nothing to a stream that went on meanwhile, and has left it to this', async () => {
    const [held] = events(5);
    const { lag, pass, cursors, begun, streams } = create(() => streams.clear());
    streams.set(held!.streamName, parked(held!));
    const batch = { events: events(5, 6), upTo: at(9) };
    expect(await lag.take(pass, batch)).toBeUndefined();
    expect([begun, placeIn(cursors)]).toEqual([[], 4]);
    expect(await lag.take(pass, batch)).toEqual([]);
    expect(begun).toEqual([5, 6]);
  });

  it('does not leave to a stream what it takes for begun, where it was parked by a delivery', async () => {
    const { lag, pass, cursors, begun, streams } = create();
    const [held] = events(5);
    streams.set(held!.streamName, parked(held!, at(50)));
    await lag.take(pass, { events: events(5, 6), upTo: at(9) });
    expect([begun, placeIn(cursors)]).toEqual([[5, 6], 9]);
  });

  it('waits before what this release cannot read, and which no stream is parked for', async () => {
    const { lag, pass, cursors, begun } = create();
    const { metadata: _, ...item } = createEvent('sub_6', 6);
    const unreadable = { ...item, undecodable: true, reason: 'newer_version' } as const;
    const [first, last] = events(5, 7);
    const batch = { events: [first!, unreadable, last!], upTo: at(9) };
    expect(await lag.take(pass, batch)).toEqual(['whe_1']);
    expect([begun, placeIn(cursors)]).toEqual([[5], 5]);
  });

  it('is given up where the cursors were loaded anew: they may stand further back', async () => {
    const { lag, pass, cursors, begun } = create();
    cursors.all.set('whe_1', at(2));
    cursors.loads += 1;
    expect(await lag.take(pass, { events: events(5, 6), upTo: at(9) })).toBeUndefined();
    await lag.end(pass);
    expect([begun, placeIn(cursors)]).toEqual([[], 2]);
  });

  it('costs Redis nothing while nothing of it is for the endpoint, but for its place in the end', async () => {
    const { lag, pass, cursors } = create();
    for (let n = 5; n < 40; n += 1) await lag.take(pass, { events: [], upTo: at(n) });
    expect(cursors.moves).toBe(0);
    await lag.end(pass);
    expect([cursors.moves, placeIn(cursors)]).toEqual([1, 39]);
  });

  it('has it are backlogged no more where it was read as far as the feed has come', async () => {
    const { lag, pass, cursors } = create();
    await lag.take(pass, { events: [], upTo: at(50) });
    await lag.end(pass);
    expect(cursors.all.size).toBe(0);
  });
});
