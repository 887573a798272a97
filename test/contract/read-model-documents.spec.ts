import { describe, expect, it } from '@jest/globals';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { payments, plans, type Projection, subscriptions } from '#projections';
import { decodeDocument, encodeDocument } from '../../libs/projection-engine/src/document.js';
import { golden, pretty } from './golden-files.js';
import { payment, plan, subscription } from './stories/purchase.js';

/**
 * Documents as they lie in Redis, and the lists they are in. A change here needs the projection's
 * `version` raised, which names a new golden file: releases of both kinds may run side by side.
 */
describe('the stored form of a document', () => {
  it.each<[Projection<unknown>, readonly DomainEvent[]]>([
    [plans, plan.events],
    [subscriptions, subscription.events],
    [payments, payment.events],
  ])('of $name is the golden one, and reads back', (projection, events) => {
    const state = events
      .map((event) => ({ ...event }) as RecordedEvent)
      .reduce((before, event) => projection.project(before, event), projection.initialState);
    const document = { state, revision: events.length - 1, position: '00000000000000000042' };
    const stored = encodeDocument(document);
    const found = pretty({ stored, lists: projection.indexes('id', state) });
    expect(found).toBe(golden('documents', `${projection.name}.${projection.version}`, found));
    expect(decodeDocument(stored)).toEqual(document);
  });
});
