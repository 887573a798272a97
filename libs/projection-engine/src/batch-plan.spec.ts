import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { deriveId } from '#domain/ids';
import { type FeedItem, Partitions } from '#event-store';
import { type PlannedPartition, planBatch, ReaderTable } from './batch-plan.js';

const at = (position: number) => String(position).padStart(20, '0');
const AT = '2026-01-31T10:00:00.000Z';
const partitions = new Partitions(16);
const stream = (bucket: string, name = 'x') => `subscription-${deriveId('sub', AT, bucket, name)}`;

function event(streamName: string, position: number): RecordedEvent {
  // A plan looks at nothing else of an event.
  return { streamName, position: at(position), revision: 0 } as unknown as RecordedEvent;
}

function undecodable(streamName: string, position: number): FeedItem {
  const where = { streamName, position: at(position), revision: 0, id: 'e', type: 't' };
  return { ...where, undecodable: true, reason: 'unknown_type' };
}

interface Reader extends PlannedPartition {
  readonly name: string;
}

/** Read models of subscriptions in partitions, by number, and where they stand. */
const held = (
  positions: Record<number, number>,
  { parked = [] as readonly string[], name = 'lists', categories = ['subscription'] } = {},
): Reader[] =>
  Object.entries(positions).map(([number, position]) => ({
    name,
    number: Number(number),
    projection: { categories },
    position: at(position),
    parked: { has: (streamName: string) => parked.includes(streamName) },
  }));

/** What is planned: by read model and partition, the positions of its events and of what is parked. */
function plan(items: readonly FeedItem[], readers: readonly Reader[]) {
  const plans = planBatch(items, new ReaderTable(readers), (id) => partitions.find(id));
  return Object.fromEntries(
    [...plans].map(([{ name, number }, { events, parked }]) => [
      name === 'lists' ? number : `${name} ${number}`,
      [
        ...events.map(({ position }) => Number(position)),
        ...parked.map(({ position }) => `parked ${Number(position)}`),
      ],
    ]),
  );
}

describe('the plan of a batch', () => {
  it('has the events of a stream in the partition of its bucket, in their order', () => {
    const [low, high] = [stream('00'), stream('ff')];
    const items = [event(low, 1), event(high, 2), event(low, 3), event(stream('0f', 'y'), 4)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 0: [1, 3, 4], 15: [2] });
  });

  it('has no partition without an event, and none that is not held', () => {
    const items = [event(stream('00'), 1), event(stream('80'), 2)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 0: [1] });
  });

  it('leaves out what its partition has already, though another one has not', () => {
    const items = [event(stream('00'), 1), event(stream('ff'), 2), event(stream('00'), 3)];
    expect(plan(items, held({ 0: 1, 15: 2 }))).toEqual({ 0: [3] });
  });

  it('holds the streams that are parked', () => {
    const items = [event(stream('00'), 1), event(stream('00', 'y'), 2)];
    expect(plan(items, held({ 0: 0 }, { parked: [stream('00')] }))).toEqual({ 0: [2] });
  });

  it('parks a stream at an undecodable event, in its own partition, with all that follows', () => {
    const broken = stream('ff');
    const items = [event(broken, 1), undecodable(broken, 2), event(broken, 3)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 15: [1, 'parked 2'] });
    expect(plan(items, held({ 15: 3 }))).toEqual({});
  });

  it('gives each read model of a category its events, as far as it has come', () => {
    const items = [event(stream('00'), 1), event(stream('00'), 2)];
    const readers = [...held({ 0: 0 }), ...held({ 0: 1 }, { name: 'sums' })];
    expect(plan(items, readers)).toEqual({ 0: [1, 2], 'sums 0': [2] });
  });

  it('gives a read model the events of all of its categories', () => {
    const payment = `payment-${deriveId('pay', AT, '00', 'x')}`;
    const readers = held({ 0: 0 }, { categories: ['payment', 'subscription'] });
    expect(plan([event(stream('00'), 1), event(payment, 2)], readers)).toEqual({ 0: [1, 2] });
  });

  it('has no streams that no read model reads', () => {
    const { streamName } = event(`app-${deriveId('app', AT, '00', 'x')}`, 1);
    expect(plan([event(streamName, 1)], held({ 0: 0 }))).toEqual({});
  });
});
