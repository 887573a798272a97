import { describe, expect, it } from 'vitest';
import { ApiError } from '#nest/errors';
import type { ResendWebhooksBody } from './resend.dto.js';
import { planResend } from './resend-plan.js';

const NOW = '2027-02-28T10:00:00.000Z';
const FROM = '2027-02-01T00:00:00Z';

function findBadFields(body: ResendWebhooksBody): string[] {
  try {
    planResend(body, NOW);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.fieldViolations.map(({ field }) => field);
    throw error;
  }
}

describe('what is sent again', () => {
  it('is one message, all that failed, or a time', () => {
    expect(planResend({ webhookId: 'msg_1' }, NOW)).toEqual({
      ...{ kind: 'message', messageId: 'msg_1', place: undefined },
    });
    const place = { streamName: 'subscription-sub_1', revision: 0 };
    expect(planResend({ webhookId: 'msg_1', ...place }, NOW)).toMatchObject({ place });
    expect(planResend({ failed: true }, NOW)).toEqual({ kind: 'failed' });
    const until = '2027-02-03T02:00:00+02:00';
    expect(planResend({ since: FROM, until, types: ['payment.*'] }, NOW)).toEqual({
      kind: 'range',
      range: {
        since: '2027-02-01T00:00:00.000Z',
        until: '2027-02-03T00:00:00.000Z',
        types: ['payment.*'],
      },
    });
  });

  it.each([undefined, '2027-03-10T00:00:00Z'])('ends now at the latest: until %s', (until) => {
    const body = { since: FROM, ...(until !== undefined && { until }) };
    expect(planResend(body, NOW)).toMatchObject({ range: { until: NOW, types: [] } });
  });

  it.each<[ResendWebhooksBody, string[]]>([
    [{}, ['webhookId']],
    [{ webhookId: 'msg_1', failed: true }, ['webhookId']],
    [{ failed: true, since: FROM }, ['webhookId']],
    [{ failed: true, pageToken: 'x' }, ['webhookId']],
    [{ webhookId: 'msg_1', revision: 1 }, ['streamName']],
    [{ failed: true, streamName: 'a', revision: 1 }, ['streamName']],
    [{ pageToken: 'x' }, ['since']],
    [{ until: FROM }, ['since']],
    [{ types: ['*'] }, ['since']],
    [{ since: FROM, until: FROM }, ['until']],
    [{ since: NOW }, ['since']],
    [{ since: '2027-01-28T09:59:59Z' }, ['until']],
    [{ until: FROM, types: ['*', 'payment.paid'] }, ['types.1', 'since']],
  ])('is refused for %j', (body, fields) => {
    expect(findBadFields(body)).toEqual(fields);
  });

  it('is a time of 31 days at most', () => {
    expect(findBadFields({ since: '2027-01-28T10:00:00Z' })).toEqual([]);
  });
});
