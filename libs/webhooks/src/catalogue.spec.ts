import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '#domain/event-types';
import { PAYMENT_TRANSITIONS } from '#domain/payment';
import { SUBSCRIPTION_TRANSITIONS } from '#domain/subscription';
import { CATALOGUE, rowsFor } from './catalogue.js';
import { WEBHOOK_TYPES } from './webhook-types.js';

describe('the catalogue', () => {
  it.each([
    'payment.requested.v3',
    'payment.captured.v1',
    'subscription.renewal_requested.v1',
    'plan.created.v1',
    'command.recorded.v1',
    'toString',
  ])('has nothing for %s', (type) => {
    expect(rowsFor(type)).toEqual([]);
  });

  it('names events that there are, the stream that such an event is in, and known types', () => {
    for (const { on, stream, type, family } of CATALOGUE) {
      expect(EVENT_TYPES).toContain(on);
      if (stream !== null) expect(on.split('.')[0]).toBe(stream.category);
      expect(WEBHOOK_TYPES).toContain(type);
      expect(family).toBe(/^[A-Z]/.test(type) ? 'v1' : 'v2');
    }
  });

  it('has each type once for an event, since ids of messages follow from both', () => {
    const rows = CATALOGUE.map(({ on, type }) => `${on} ${type}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('has one row for an event of a stream that is numbered by its revision', () => {
    for (const { on } of CATALOGUE.filter(({ stream }) => stream === null)) {
      expect(rowsFor(on)).toHaveLength(1);
    }
  });

  it('sends every move of a subscription, and every decline and refund', () => {
    for (const { on } of SUBSCRIPTION_TRANSITIONS) expect(rowsFor(on)).not.toEqual([]);
    const ends = PAYMENT_TRANSITIONS.filter(({ on }) => rowsFor(on).length > 0).map(({ to }) => to);
    expect(new Set(ends.flat())).toEqual(
      new Set(['FAILED', 'SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED']),
    );
  });
});
