import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { isSealNotice, renderImpersonalMessage } from './impersonal-message.js';

const notice = (appId: string, id: string): RecordedEvent => ({
  ...{ id, streamName: `seal_notice-${appId}`, revision: 6, position: '0'.repeat(20) },
  type: 'seal_notice.recorded.v1',
  data: { size: 9, note: 'a note', previousSize: 7, hashes: ['aa', 'bb'] },
  metadata: {
    ...{ $correlationId: 'r', actor: 'process:seal_events', appId, environment: 'production' },
    occurredAt: '2027-01-31T10:00:00.000Z',
  },
});

describe('the message of a checkpoint', () => {
  it('is numbered by its place in the stream of its app', () => {
    expect(renderImpersonalMessage(notice('app_1', 'a'))).toMatchObject({
      ...{ type: 'ledger.sealed', subject: 'app_1', sequence: 7 },
      id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    });
  });

  it('has the same bytes for all apps', () => {
    const [one, other] = [notice('app_1', 'a'), notice('app_2', 'b')].map(renderImpersonalMessage);
    expect(one?.body).toBe(
      '{"type":"ledger.sealed","data":{"size":9,"note":"a note","previous_size":7,"hashes":["aa","bb"]}}',
    );
    expect(other?.body).toBe(one?.body);
    expect(other?.id).not.toBe(one?.id);
  });

  it('is none of another event', () => {
    const other = { ...notice('app_1', 'a'), type: 'payment.captured.v1' };
    expect(isSealNotice(other)).toBe(false);
    expect(renderImpersonalMessage(other)).toBeUndefined();
  });
});
