import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { inFlightMember, PROCESS, readInFlight } from './in-flight.js';

describe('work in flight', () => {
  const event: RecordedEvent = {
    id: 'f',
    type: 'subscription.created.v2',
    data: {},
    streamName: 'subscription-sub_1',
    revision: 4,
    position: '00000000000000000017',
    metadata: {
      $correlationId: 'c',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      occurredAt: '2026-01-01T00:00:00.000Z',
    },
  };

  it('is read back as it was written', () => {
    expect(readInFlight(inFlightMember(event, PROCESS))).toEqual({
      position: event.position,
      target: PROCESS,
      streamName: event.streamName,
      revision: 4,
      member: inFlightMember(event, PROCESS),
      messageId: undefined,
    });
    expect(readInFlight(inFlightMember(event, 'whe_1', 'msg_1'))).toMatchObject({
      target: 'whe_1',
      messageId: 'msg_1',
    });
  });

  it('is one for each message of an event, so that none goes out of sight with another', () => {
    const members = ['msg_1', 'msg_2'].map((id) => inFlightMember(event, 'whe_1', id));
    expect(new Set(members).size).toBe(2);
  });

  it('stands in the order of the store', () => {
    const later = { ...event, position: '00000000000000000100' };
    expect(inFlightMember(event, 'whe_9') < inFlightMember(later, 'whe_1')).toBe(true);
  });

  it('is nothing else', () => {
    const others = ['17 whe_1', '17 whe_1 stream one', '17 whe_1 stream 1 msg_1 more'];
    expect(others.map(readInFlight)).toEqual([undefined, undefined, undefined]);
  });
});
