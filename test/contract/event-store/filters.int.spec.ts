import { beforeAll, describe, expect, it } from 'vitest';
import {
  eventTypeFilter,
  excludeSystemEvents,
  streamNameFilter,
  type Filter,
  type Position,
} from '@eventstore/db-client';
import { eventually } from '../../support/eventually.js';
import { collect, listRevisions, useSubject, take, uniqueStream } from './subject.js';
import {
  appendTo,
  followAll as follow,
  followStreams,
  type SubscriptionLog,
} from './subscription-log.js';

const subject = useSubject();

const followAll = (
  filter: (log: () => SubscriptionLog) => Filter,
  fromPosition: Position | 'end',
): SubscriptionLog => follow(subject.client, filter, fromPosition);

const append = async (stream: string, count: number, type?: string): Promise<Position> =>
  appendTo(subject.client, stream, count, type);

describe('a filter of a subscription to $all', () => {
  let from: Position;
  const tag = uniqueStream('filtered').slice(0, -2);
  const wanted = `${tag}-wanted`;
  const other = `${tag}-other`;

  beforeAll(async () => {
    from = await append(uniqueStream(), 1);
    await append(wanted, 1, `${tag}.one`);
    await append(other, 1, `${tag}.two`);
    await append(wanted, 1, `${tag}.three`);
  });

  it.each([
    [
      'stream prefixes',
      () => streamNameFilter({ prefixes: ['nothing-', wanted] }),
      ['one', 'three'],
    ],
    ['a stream expression', () => streamNameFilter({ regex: `^${tag}-oth` }), ['two']],
    ['type prefixes', () => eventTypeFilter({ prefixes: [`${tag}.t`] }), ['two', 'three']],
    ['a type expression', () => eventTypeFilter({ regex: `^${tag}\\.(one|two)$` }), ['one', 'two']],
    ['.NET anchors', () => eventTypeFilter({ regex: `\\A${tag}\\.o` }), ['one']],
  ] as const)('by %s', async (_rule, filter, expected) => {
    const log = followAll(filter, from);
    await log.has('caught up');
    const types = log.lines.filter((line) => line.startsWith(tag));
    expect(types.map((line) => line.slice(tag.length + 1).split(' ')[0])).toEqual(expected);
    await log.subscription.unsubscribe();
  });

  it('can leave system events out', async () => {
    await subject.client.setStreamMetadata(wanted, { hidden: false });
    const log = followAll(() => excludeSystemEvents(), from);
    await log.has('caught up');
    expect(log.lines.some((line) => line.startsWith('$'))).toBe(false);
    expect(log.lines.some((line) => line.startsWith(`${tag}.three`))).toBe(true);
    await log.subscription.unsubscribe();
  });

  it('that matches nothing reports on a long way how far it came, and is live at its end', async () => {
    const end = await append(other, 100);
    const log = followStreams(
      subject.client,
      { prefixes: [uniqueStream()], maxSearchWindow: 10 },
      from,
    );
    await log.has('caught up');
    const caughtUp = log.lines.indexOf('caught up');
    expect(log.lines.indexOf('checkpoint')).toBeLessThan(caughtUp);
    expect(log.lines).toContain('checkpoint');
    // The first one of KurrentDB 26.1 is where the subscription starts.
    expect(log.checkpoints[0]! >= from.commit && log.checkpoints[0]! <= end.commit).toBe(true);
    await log.subscription.unsubscribe();
  });

  it('that matches nothing is live at the end of a short way, whether it reports or not', async () => {
    const short = await append(other, 1);
    const log = followAll(() => streamNameFilter({ prefixes: [uniqueStream()] }), short);
    await log.has('caught up');
    await log.subscription.unsubscribe();
  });

  it('sends a checkpoint each time it has considered as many events as its interval', async () => {
    const log = followStreams(
      subject.client,
      { prefixes: [wanted], maxSearchWindow: 5, checkpointInterval: 2 },
      'end',
    );
    await log.has('caught up');
    const start = log.checkpoints.length;
    let last = from;
    // Those of one burst may be sent as one: each is waited for before the next.
    for (let round = 1; round <= 3; round += 1) {
      const before = log.checkpoints.length;
      for (let n = 0; n < 12; n += 1) last = await append(other, 1);
      await eventually(() => log.checkpoints.length > before);
    }
    const live = log.checkpoints.slice(start);
    expect(live.every((position, at) => at === 0 || position > live[at - 1]!)).toBe(true);
    expect(live.at(-1)! <= last.commit).toBe(true);
    await log.subscription.unsubscribe();
  });

  it('sends an event before the checkpoint that covers it', async () => {
    const order: string[] = [];
    const stream = uniqueStream();
    const before = await append(uniqueStream(), 1);
    await append(stream, 12);
    const subscription = subject.client.subscribeToAll({
      fromPosition: before,
      filter: streamNameFilter({
        prefixes: [stream],
        maxSearchWindow: 4,
        checkpointReached: async (_, { commit }) => {
          order.push(`c${commit}`);
        },
      }),
    });
    subscription.on('data', (resolved) => order.push(`e${resolved.event!.position.commit}`));
    await eventually(() => order.filter((line) => line.startsWith('e')).length === 12);
    const numbers = order.map((line) => BigInt(line.slice(1)));
    expect(numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!)).toBe(true);
    expect(order.some((line) => line.startsWith('c'))).toBe(true);
    await subscription.unsubscribe();
  });

  it('resumed from a checkpoint misses nothing and repeats nothing', async () => {
    const stream = uniqueStream();
    const before = await append(uniqueStream(), 1);
    await append(stream, 20);
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: [stream],
      maxSearchWindow: 3,
      checkpointReached: async (_, position) => {
        checkpoints.push(position);
      },
    });
    await take(subject.client.subscribeToAll({ fromPosition: before, filter }), 20);
    const all = await collect(subject.client.readStream(stream));
    const checkpoint = checkpoints[0]!;
    const later = all.filter((resolved) => resolved.event!.position!.commit > checkpoint.commit);
    expect(later.length).toBeGreaterThan(0);
    const resumed = subject.client.subscribeToAll({
      fromPosition: checkpoint,
      filter: streamNameFilter({ prefixes: [stream] }),
    });
    expect(listRevisions(await take(resumed, later.length))).toEqual(listRevisions(later));
  });
});

it('an expression that cannot be compiled is refused', async () => {
  const log = followAll(() => streamNameFilter({ regex: '(' }), 'end');
  await eventually(() => log.error !== undefined);
});
