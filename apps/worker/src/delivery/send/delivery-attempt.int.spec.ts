import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EgressConnections } from '#egress';
import { createSeal, fixedMasterKeys } from '#platform';
import { createAppSecrets, type RunningEndpoint } from '#tenancy';
import { verifyWebhook } from '../../../../../test/support/verify-webhook.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../../../test/support/misbehaving-receiver.js';
import { DeliveryAttempt } from './delivery-attempt.js';

const APP = 'app_1';
const NOW = '2031-05-05T10:00:00.000Z';

describe('an attempt to deliver', () => {
  const masterKeys = fixedMasterKeys([randomBytes(32)]);
  const secrets = createAppSecrets(createSeal(masterKeys));
  const create = () => secrets.create(APP, 'webhook secret');
  const [newest, former, expired] = [create(), create(), create()];
  const valid = [
    { sealed: newest.sealed, useFrom: '', expiresAt: null },
    { sealed: former.sealed, useFrom: '', expiresAt: '2031-05-05T10:00:01.000Z' },
    { sealed: expired.sealed, useFrom: '', expiresAt: '2031-05-05T10:00:00.000Z' },
  ];
  const message = { id: 'msg_1', sequence: 3 };
  let receiver: MisbehavingReceiver;
  let connections: EgressConnections;

  beforeAll(async () => {
    receiver = await startMisbehavingReceiver();
    connections = new EgressConnections();
  });

  afterAll(async () => {
    await connections.close();
    await receiver.close();
  });

  const make = (path: string, { environment = 'test', now = NOW } = {}) => {
    const apps = { find: async () => ({ environment }) } as never;
    const limiter = { isFailing: () => true };
    const webhookPorts = [[1024, 65_535]] as const;
    const config = { masterKeys, allowInsecureTargets: 'test-apps', webhookPorts } as const;
    const attempt = new DeliveryAttempt(apps, config, connections, { now: () => now }, limiter);
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const endpoint = { endpointId: 'whe_1', appId: APP, url, accept: '2xx', secrets: valid };
    const opened = { message, body: '{"type":"ž"}' };
    const { signal } = new AbortController();
    // Fields that an attempt does not look at are left out.
    return attempt.make(opened, endpoint as unknown as RunningEndpoint, 2, signal);
  };

  it('is signed with every secret that is valid by the clock, and hands back what was answered', async () => {
    const answer = await make('/ok');
    expect(answer).toMatchObject({ status: 200, body: 'ok' });
    const { head, body } = receiver.asked.at(-1)!;
    const headers = Object.fromEntries(
      head.split('\r\n').map((line) => line.split(': ') as [string, string]),
    );
    const seconds = Date.parse(NOW) / 1000;
    expect(headers).toMatchObject({
      'webhook-timestamp': String(seconds),
      'service-retry-count': '2',
    });
    vi.spyOn(Date, 'now').mockReturnValue(seconds * 1_000);
    const accepted = [newest, former, expired].map(({ shown }) =>
      verifyWebhook(shown, headers, body),
    );
    expect(accepted).toEqual([true, true, false]);
    expect(body).toBe('{"type":"ž"}');
  });

  it('of a production app is made to no address of this machine', async () => {
    const asked = receiver.asked.length;
    const attempting = make('/ok', { environment: 'production' });
    await expect(attempting).rejects.toMatchObject({
      details: { code: 'forbidden_address' },
    });
    expect(receiver.asked).toHaveLength(asked);
  });

  it('whose time moves reads a date of Retry-After by it', async () => {
    const atDate = { now: '2026-01-01T00:00:00.000Z' };
    await expect(make('/busy-until', atDate)).rejects.toMatchObject({
      details: { retryAfterMs: 60_000 },
    });
    const later = { now: '2026-01-01T00:00:59.000Z' };
    await expect(make('/busy-until', later)).rejects.toMatchObject({
      details: { retryAfterMs: 1_000 },
    });
  });
});
