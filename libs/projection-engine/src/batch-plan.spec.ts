import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { deriveId } from '#domain/ids';
import type { FeedItem } from '#event-store';
import { projections } from '#projections';
import { planBatch } from './batch-plan.js';
import { createNamespace } from './keys.js';

const at = (position: number) => String(position).padStart(20, '0');
const AT = '2026-01-31T10:00:00.000Z';
const byCategory = new Map(projections.map((each) => [each.category, each]));
const namespace = createNamespace(projections, { layoutId: 'store-1', partitions: 16 });
const stream = (bucket: string, name = 'x') => `subscription-${deriveId('sub', AT, bucket, name)}`;

function event(streamName: string, position: number): RecordedEvent {
  // A plan looks at nothing else of an event.
  return { streamName, position: at(position), revision: 0 } as unknown as RecordedEvent;
}

function undecodable(streamName: string, position: number): FeedItem {
  const where = { streamName, position: at(position), revision: 0, id: 'e', type: 't' };
  return { ...where, undecodable: true, reason: 'unknown_type' };
}

/** Partitions that are held, by their numbers, and where they stand. */
const held = (positions: Record<number, number>, parked: readonly string[] = []) =>
  new Map(
    Object.entries(positions).map(([number, position]) => [
      Number(number),
      {
        checkpoint: { position: at(position) },
        parked: { has: (streamName: string) => parked.includes(streamName) },
      },
    ]),
  );

/** What is planned: by partition, the positions of each stream's events and of what is parked. */
function plan(items: readonly FeedItem[], partitions: ReturnType<typeof held>) {
  const plans = planBatch(items, partitions, (id) => namespace.find(id), byCategory);
  return Object.fromEntries(
    [...plans].map(([number, { streams, parked }]) => [
      number,
      [
        ...streams.map(({ events }) => events.map(({ position }) => Number(position)).join()),
        ...parked.map(({ position }) => `parked ${Number(position)}`),
      ],
    ]),
  );
}

describe('the plan of a batch', () => {
  it('has the events of a stream in the partition of its bucket, in their order', () => {
    const [low, high] = [stream('00'), stream('ff')];
    const items = [event(low, 1), event(high, 2), event(low, 3), event(stream('0f', 'y'), 4)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 0: ['1,3', '4'], 15: ['2'] });
  });

  it('has no partition without an event, and none that is not held', () => {
    const items = [event(stream('00'), 1), event(stream('80'), 2)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 0: ['1'] });
  });

  it('leaves out what its partition has already, though another one has not', () => {
    const items = [event(stream('00'), 1), event(stream('ff'), 2), event(stream('00'), 3)];
    expect(plan(items, held({ 0: 1, 15: 2 }))).toEqual({ 0: ['3'] });
  });

  it('holds the streams that are parked', () => {
    const items = [event(stream('00'), 1), event(stream('00', 'y'), 2)];
    expect(plan(items, held({ 0: 0 }, [stream('00')]))).toEqual({ 0: ['2'] });
  });

  it('parks a stream at an undecodable event, in its own partition, with all that follows', () => {
    const broken = stream('ff');
    const items = [event(broken, 1), undecodable(broken, 2), event(broken, 3)];
    expect(plan(items, held({ 0: 0, 15: 0 }))).toEqual({ 15: ['1', 'parked 2'] });
    expect(plan(items, held({ 15: 2 }))).toEqual({});
  });

  it('has no streams that are no projection of', () => {
    const { streamName } = event(`app-${deriveId('app', AT, '00', 'x')}`, 1);
    expect(plan([event(streamName, 1)], held({ 0: 0 }))).toEqual({});
  });
});
