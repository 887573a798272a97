import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { inFlightMember, PROCESS, readInFlight, resendMember } from './in-flight.js';

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

  it('is another one for each time that a message is asked for again', () => {
    const message = { streamName: 'subscription-sub_1', revision: 4, messageId: 'msg_1' };
    const asked = { position: '00000000000000000020', revision: 9 };
    const member = resendMember(asked, 'whe_1', message, 2);
    expect(readInFlight(member)).toEqual({
      ...message,
      ...{ member, position: asked.position, target: 'whe_1', askedAtRevision: 9 },
    });
    const again = { position: '00000000000000000021', revision: 10 };
    expect(resendMember(again, 'whe_1', message, 2)).not.toBe(member);
    expect(readInFlight(inFlightMember(event, 'whe_1', 'msg_1'))?.askedAtRevision).toBeUndefined();
  });

  it('stands in the order of the store', () => {
    const later = { ...event, position: '00000000000000000100' };
    expect(inFlightMember(event, 'whe_9') < inFlightMember(later, 'whe_1')).toBe(true);
  });

  it('is nothing else', () => {
    const others = [
      '17 whe_1',
      '17 whe_1 stream one',
      '17 whe_1 stream 1 msg_1',
      '17 whe_1 stream 1 msg_1 more',
      '17 whe_1 s 1 0 msg_1 x',
      '17 whe_1 s 1 0 msg_1 9 9',
    ];
    expect(others.map(readInFlight)).toEqual(others.map(() => undefined));
  });
});
