import { describe, expect, it } from 'vitest';
import type { NamespaceIdentity } from '#event-store';
import type { CommandContexts } from '#nest';
import type { RunningEndpoint } from '#tenancy';
import { type Backup, type EndpointState, inFlightMember, PLAYER_ERASED } from '#worker-state';
import { createPageTokens } from '../../http/page-token.js';
import { FailedDeliveries } from '../webhook-endpoints/failed-deliveries.js';
import { EndpointStatuses, WrittenTimes } from './endpoint-statuses.js';
import {
  ListWebhookFailures,
  ListWebhookFailuresHandler,
} from './queries/list-webhook-failures.js';
import { WebhookFailureListQuery } from './webhook-status.dto.js';

const position = (n: number) => String(n).padStart(20, '0');
const member = (n: number, endpointId: string) => {
  const event = { position: position(n), streamName: 'subscription-sub_1', revision: n };
  return inFlightMember(event, endpointId, `msg_${n}`);
};
const failed = (n: number, endpointId: string, minute: number, appId = 'app_1') => {
  const exhaustedAt = `2027-01-31T10:0${minute}:00.000Z`;
  const given = {
    appId,
    type: 'payment.failed',
    attempts: 12,
    reason: 'the receiver answered 503',
  };
  return { ...given, member: member(n, endpointId), exhaustedAt };
};

/** Its player was erased: it cannot be sent again, and is neither listed nor counted. */
const erased = (n: number, endpointId: string) => ({
  ...failed(n, endpointId, n),
  reason: PLAYER_ERASED,
});

/** The next backup names it no more. */
const DELETED = failed(9, 'whe_deleted', 5);

const BACKUPS: Backup[] = [
  {
    ...{ position: position(9), parked: [] },
    inFlight: [{ member: member(5, 'whe_failing') }],
    cursors: [{ endpointId: 'whe_failing', after: position(6) }],
    exhausted: [
      ...[failed(1, 'whe_failing', 1), failed(2, 'whe_held', 3)],
      ...[erased(7, 'whe_failing'), erased(8, 'whe_healthy')],
    ],
  },
  {
    ...{ position: position(9), parked: [], inFlight: [], cursors: [] },
    exhausted: [failed(3, 'whe_failing', 2), failed(4, 'whe_other', 4, 'app_2'), DELETED],
  },
];
/** Nothing was asked for again. */
const STORE = { readStream: () => (async function* () {})() };

class FailedInBackups extends FailedDeliveries {
  override async readBackups() {
    return BACKUPS;
  }
}
// The namespace is not asked for.
const failedDeliveries = new FailedInBackups(STORE, {} as NamespaceIdentity);

const CLOSED = { breaker: 'closed', failures: 0, failingSince: null, openUntil: null } as const;
const OPEN: EndpointState = {
  ...{ breaker: 'open', failures: 6 },
  ...{ failingSince: '2027-01-31T09:00:00.000Z', openUntil: '2027-01-31T10:05:00.000Z' },
};

function endpoint(endpointId: string, more: Partial<RunningEndpoint> = {}): RunningEndpoint {
  const url = `https://studio.example/${endpointId}`;
  const given = { endpointId, url, appId: 'app_1', eventTypes: ['*'], state: 'enabled' };
  return { ...given, disabled: null, ...more } as RunningEndpoint;
}

const ENDPOINTS = [
  endpoint('whe_failing'),
  endpoint('whe_healthy'),
  endpoint('whe_held', {
    state: 'disabled',
    disabled: { reason: 'gone', disabledAt: '2027-01-30T10:00:00.000Z' },
  }),
];

describe('the status of endpoints', () => {
  const apps = { listEndpoints: async () => ENDPOINTS };
  const states = { read: async (id: string) => (id === 'whe_failing' ? OPEN : CLOSED) };
  const findTime = async (at: string) => `2027-01-31T10:00:00.${at.slice(-3)}Z`;
  const statuses = new EndpointStatuses(
    ...([apps, states, failedDeliveries, new WrittenTimes({ findTime })] as const),
  );

  it('says what can be done, what waits, since when, and what was given up', async () => {
    const [[failing, healthy, held] = []] = await statuses.find(['app_1']);
    expect(failing).toEqual({
      ...{ id: 'whe_failing', url: 'https://studio.example/whe_failing' },
      ...{ state: 'enabled', disabledReason: '', disabledAt: '', class: 'failing' },
      ...{ ...OPEN, inFlight: 1, oldestInFlightAt: '2027-01-31T10:00:00.005Z' },
      ...{ behind: true, behindSince: '2027-01-31T10:00:00.006Z', failed: 2 },
    });
    expect(healthy).toMatchObject({
      ...{ class: 'healthy', breaker: 'closed', openUntil: '', failures: 0, failingSince: '' },
      ...{ inFlight: 0, oldestInFlightAt: '', behind: false, behindSince: '', failed: 0 },
    });
    expect(held).toMatchObject({
      ...{ class: 'held', state: 'disabled', disabledReason: 'gone', failed: 1 },
      disabledAt: '2027-01-30T10:00:00.000Z',
    });
  });
});

describe('what was given up', () => {
  const tokens = createPageTokens(() => [Buffer.alloc(32)]);
  // The app is there.
  const contexts = { requireApp: async () => undefined } as unknown as CommandContexts;
  const apps = {
    listEndpoints: async () => ENDPOINTS,
    findEndpoint: async (id: string) => ENDPOINTS.find(({ endpointId }) => endpointId === id),
  };
  const handler = new ListWebhookFailuresHandler(contexts, apps, tokens, failedDeliveries);
  const list = (more: Partial<WebhookFailureListQuery> = {}) => {
    const query = Object.assign(new WebhookFailureListQuery(), more);
    return handler.execute(new ListWebhookFailures({ appId: 'app_1', query }));
  };

  it('is listed by pages, the last one first, of the app alone, and of endpoints that are there', async () => {
    const { failures, nextPageToken } = await list();
    expect(failures.map(({ webhookId }) => webhookId)).toEqual(['msg_2', 'msg_3', 'msg_1']);
    expect(nextPageToken).toBe('');
    expect(failures[0]).toEqual({
      ...{ webhookId: 'msg_2', endpointId: 'whe_held', type: 'payment.failed', attempts: 12 },
      ...{ streamName: 'subscription-sub_1', revision: 2, reason: 'the receiver answered 503' },
      failedAt: '2027-01-31T10:03:00.000Z',
    });
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, pageToken: first.nextPageToken });
    expect([...first.failures, ...second.failures]).toEqual(failures);
    expect(second.nextPageToken).toBe('');
  });

  it('is listed of one endpoint, which must be one of the app', async () => {
    const { failures } = await list({ endpointId: 'whe_failing' });
    expect(failures.map(({ webhookId }) => webhookId)).toEqual(['msg_3', 'msg_1']);
    await expect(list({ endpointId: 'whe_other' })).rejects.toThrow('whe_other');
  });
});
