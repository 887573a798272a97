import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import { planBatch } from './batch-plan.js';

const at = (position: number) => String(position).padStart(20, '0');

function event(streamName: string, position: number): RecordedEvent {
  // A plan looks at nothing else of an event.
  return { streamName, position: at(position), revision: 0 } as unknown as RecordedEvent;
}

function undecodable(streamName: string, position: number): FeedItem {
  const where = { streamName, position: at(position), revision: 0, id: 'e', type: 't' };
  return { ...where, undecodable: true, reason: 'unknown_type' };
}

/** The plan: the positions of events and of parked ones. */
function plan(
  items: readonly FeedItem[],
  { position = 0, parked = [] as readonly string[], categories = ['subscription'] } = {},
) {
  const held = { has: (streamName: string) => parked.includes(streamName) };
  const readModel = { projection: { categories }, position: at(position), parked: held };
  const [planned = NOTHING_PLANNED] = planBatch(items, [readModel]).plans;
  return [
    ...planned.events.map((each) => Number(each.position)),
    ...planned.parked.map((each) => `parked ${Number(each.position)}`),
  ];
}

const NOTHING_PLANNED = { events: [], parked: [] };

describe('the plan of a batch', () => {
  const [one, other] = ['subscription-1', 'subscription-2'];

  it('has the events of all streams of its categories, in their order', () => {
    const items = [event(one, 1), event('payment-1', 2), event('app-1', 3), event(one, 4)];
    expect(plan(items)).toEqual([1, 4]);
    expect(plan(items, { categories: ['payment', 'subscription'] })).toEqual([1, 2, 4]);
  });

  it('leaves out what the read model has already', () => {
    expect(plan([event(one, 1), event(other, 2), event(one, 3)], { position: 2 })).toEqual([3]);
  });

  it('holds the streams that are parked', () => {
    expect(plan([event(one, 1), event(other, 2)], { parked: [one] })).toEqual([2]);
  });

  it('parks a stream at an undecodable event, with all that follows', () => {
    const items = [event(one, 1), undecodable(one, 2), event(one, 3), undecodable(one, 4)];
    expect(plan(items)).toEqual([1, 'parked 2']);
    expect(plan(items, { position: 4 })).toEqual([]);
  });
  it('is made for each read model, and counts an event once that several of them read', () => {
    const items = [event(one, 1), event('payment-1', 2), event('app-1', 3), undecodable(other, 4)];
    const parked = { has: () => false };
    const readModels = [
      { projection: { categories: ['subscription'] }, position: at(0), parked },
      { projection: { categories: ['subscription', 'payment'] }, position: at(0), parked },
    ];
    const { plans, events } = planBatch(items, readModels);
    const positions = plans.map((each) => each.events.map(({ position }) => Number(position)));
    expect(positions).toEqual([[1], [1, 2]]);
    expect(plans.map((each) => each.parked.length)).toEqual([1, 1]);
    expect(events).toBe(2);
  });
});
