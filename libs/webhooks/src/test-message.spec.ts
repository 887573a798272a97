import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { sampleMessage } from './samples/sample-message.js';
import { renderTestMessage } from './test-message.js';

const requested = (id: string, eventType: string, environment = 'test') =>
  // The fields of an event that are looked at.
  ({
    ...{ id, type: 'webhook_endpoint.test_requested.v1', streamName: 'webhook_endpoint-whe_1' },
    ...{ data: { eventType }, metadata: { environment } },
  }) as unknown as RecordedEvent;

describe('a test message', () => {
  it('is a sample, and takes no number of a subject', () => {
    expect(renderTestMessage(requested('a', 'VIEW_ITEM', 'production'))).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      ...{ type: 'VIEW_ITEM', subject: 'whe_1', sequence: 0 },
      body: sampleMessage('VIEW_ITEM', 'production'),
    });
  });

  it('has the same id each time, and each test its own', () => {
    const id = (eventId: string) => renderTestMessage(requested(eventId, 'payment.failed'))?.id;
    expect(id('a')).toBe(id('a'));
    expect(id('a')).not.toBe(id('b'));
  });

  it('is none of another event, and of no type that is not known', () => {
    const other = { ...requested('a', 'payment.failed'), type: 'webhook_endpoint.enabled.v1' };
    expect(renderTestMessage(other)).toBeUndefined();
    expect(() => renderTestMessage(requested('a', 'payment.paid'))).toThrow('payment.paid');
  });
});
