import { describe, expect, it } from '@jest/globals';
import { PAYMENT_TRANSITIONS } from '#domain/payment';
import { SUBSCRIPTION_TRANSITIONS } from '#domain/subscription';
import { entryOf, isWebhookEvent, SELECTORS, WEBHOOK_TYPES } from './catalogue.js';
import { messageIdOf, renderMessage } from './message.js';

describe('the catalogue', () => {
  it('tells each of these events as one type', () => {
    const mapping = {
      'subscription.created.v1': 'subscription.created',
      'subscription.renewed.v1': 'subscription.payment_succeeded',
      'subscription.renewal_failed.v1': 'subscription.payment_failed',
      'subscription.canceled.v1': 'subscription.canceled',
      'subscription.reactivated.v1': 'subscription.reactivated',
      'subscription.expired.v1': 'subscription.expired',
      'payment.captured.v1': 'payment.succeeded',
      'payment.declined.v1': 'payment.failed',
      'payment.refunded.v1': 'payment.refunded',
    };
    for (const [event, type] of Object.entries(mapping)) {
      expect(entryOf({ type: event })?.type).toBe(type);
    }
    expect([...WEBHOOK_TYPES].sort()).toEqual(Object.values(mapping).sort());
  });

  it('tells every move of a subscription', () => {
    for (const { on } of SUBSCRIPTION_TRANSITIONS) expect(isWebhookEvent(on)).toBe(true);
  });

  it.each([
    'payment.requested.v1',
    'subscription.renewal_requested.v1',
    'subscription.late_outcome_recorded.v1',
    'plan.created.v1',
    'command.recorded.v1',
    'toString',
  ])('keeps %s to itself', (type) => {
    expect(isWebhookEvent(type)).toBe(false);
    expect(entryOf({ type })).toBeUndefined();
  });

  it('tells every outcome of a charge and every refund', () => {
    const told = PAYMENT_TRANSITIONS.filter(({ on }) => isWebhookEvent(on)).map(({ to }) => to);
    expect(new Set(told.flat())).toEqual(
      new Set(['SUCCEEDED', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
    );
  });
});

describe('a selector of an endpoint', () => {
  it.each(['*', 'subscription.*', 'payment.*', ...WEBHOOK_TYPES])('%s is known', (selector) => {
    expect(SELECTORS.includes(selector)).toBe(true);
  });

  it.each(['', '.*', '**', 'sub*', 'subscription', 'subscription.', 'subscription.paid', 'cart.*'])(
    '"%s" is not known',
    (selector) => {
      expect(SELECTORS.includes(selector)).toBe(false);
    },
  );
});

describe('a message', () => {
  const event = {
    id: '5f1d8c0e-5a3b-4b7e-9c42-d0a8e4f7b615',
    type: 'subscription.canceled.v1',
    data: {},
    streamName: 'subscription-sub_1',
    revision: 1,
    position: '0'.repeat(20),
    metadata: {
      $correlationId: 'request-1',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      schemaVersion: 1,
      occurredAt: '2027-01-31T10:00:00.000Z',
    },
  } as const;

  it('has an id that follows from the event and from nothing else', () => {
    expect(messageIdOf(event)).toBe('msg_c92612001dfc3a028f31986dbb220c10');
    expect(messageIdOf({ id: 'another' })).not.toBe(messageIdOf(event));
  });

  it('is none of an event that nobody is told, nor of a stream that never began', () => {
    expect(renderMessage({ ...event, type: 'payment.requested.v1' }, {})).toBeNull();
    expect(renderMessage(event, { status: 'none' })).toBeNull();
  });
});
