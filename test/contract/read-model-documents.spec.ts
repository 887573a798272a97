import { describe, expect, it } from 'vitest';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import type { Projection } from '#projection-engine/define';
import { projections } from '#projections';
import {
  decodeDocument,
  encodeDocument,
} from '../../libs/projection-engine/src/stored/document.js';
import { golden, pretty } from './golden-files.js';
import { app } from './stories/app.js';
import { testClock } from './stories/operation.js';
import { paidOrder } from './stories/orders.js';
import { payment, plan, subscription } from './stories/purchase.js';

/**
 * Documents as they lie in Redis, and the lists they are in. A change here needs the projection's
 * `version` raised, which names a new golden file: releases of both kinds may run side by side.
 */
const STORIES: Readonly<Record<string, Story>> = {
  apps: { id: 'app_01gold', events: app.events },
  plans: { id: 'plan_01gold', events: plan.events },
  subscriptions: { id: 'sub_01gold', events: subscription.events },
  payments: { id: 'pay_01first', events: payment.events },
  orders: { id: 'ord_01gold', events: paidOrder.events },
  'due-dates': { id: 'sub_01gold', events: subscription.events },
  'test-clocks': { id: 'app_01gold', events: testClock.events },
};

interface Story {
  readonly id: string;
  readonly events: readonly DomainEvent[];
}

/** The metadata that a projection looks at beside the payload. */
const METADATA = {
  ...{ appId: 'app_1', environment: 'test' },
  ...{ occurredAt: '2027-02-01T10:00:00.000Z', commandId: 'key-1' },
};

/** The document of a story after each of its events. */
function replay(projection: Projection<unknown>) {
  const story = STORIES[projection.name];
  if (story === undefined) throw new Error(`STORIES has no events for ${projection.name}`);
  const { id, events } = story;
  let state = projection.initialState;
  const steps = events.map((event, revision) => {
    const recorded = { ...event, metadata: METADATA } as RecordedEvent;
    state = projection.project(state, recorded);
    return { state, revision, entries: projection.indexes(id, state, revision) };
  });
  const last = steps.at(-1);
  if (last === undefined) throw new Error(`the story of ${projection.name} has no event`);
  return { id, steps, last };
}

describe('the stored form of a document', () => {
  it.each(projections)('of $name is the golden one, and reads back', (projection) => {
    const { id, steps, last } = replay(projection);
    const { entries, ...document } = last;
    const lists = steps.flatMap((step) => step.entries.map(({ index }) => index.join(' ')));
    const stored = encodeDocument(projection, id, document);
    const found = pretty({ stored, entries, everInLists: [...new Set(lists)] });
    expect(found).toBe(golden('documents', `${projection.name}.${projection.version}`, found));
    expect(decodeDocument(projection, id, stored)).toEqual(document);
  });
});

/**
 * The places that documents have in lists that are paged: those that are asked by time have scores. A change here needs
 * `orderedSince` raised to the present version, which names a new golden file: page tokens of the order before are refused
 * (rules/api 16).
 */
describe('the order of paged lists', () => {
  it.each(projections)('of $name is the golden one', (projection) => {
    const places = replay(projection)
      .steps.flatMap(({ entries }) => entries.filter(({ score }) => score === 0))
      .map(({ index: [list], member }) => `${list} ${member}`);
    const found = pretty([...new Set(places)]);
    const { name, orderedSince = 1 } = projection;
    expect(found).toBe(golden('list-orders', `${name}.${orderedSince}`, found));
  });
});
