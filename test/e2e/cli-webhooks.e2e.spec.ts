import { describe, expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

/** Operations' commands about webhooks. */
const ledger = useLedger();
const ADDRESS = 'http://127.0.0.1:9/webhooks';

async function run(...args: string[]) {
  const { baseUrl, demo } = ledger.standalone;
  const env = { SUBLEDGER_URL: baseUrl, SUBLEDGER_TOKEN: demo.operatorToken };
  return subledger(['webhooks', ...args], { ...env, SUBLEDGER_APP: ledger.appId });
}

async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  const parse = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>;
  return { code, answer: parse(stdout), error: parse(stderr)['error'] };
}

/** The endpoints of the retries that the board of queues shows, of all partitions (rules/operators 15). */
async function listRetriesOnBoard(): Promise<unknown[]> {
  const read = async (query = '') => {
    const { body } = await ledger.allApps.get(`/manage/queues/api/queues${query}`);
    return body['queues'] as { name: string; jobs: { data: { endpointId: string } }[] }[];
  };
  const found = await Promise.all(
    (await read()).map(async ({ name }) => {
      const shown = await read(`?activeQueue=${name}&status=delayed&page=1&jobsPerPage=50`);
      return shown.find((queue) => queue.name === name)?.jobs ?? [];
    }),
  );
  return found.flat().map(({ data }) => data.endpointId);
}

describe('subledger webhooks', () => {
  it('creates, changes, disables, enables and deletes endpoints', async () => {
    const settings = ['--types', 'payment.*, VIEW_ITEM', '--max-per-second', '5'];
    const { answer } = await runJson('endpoints', 'create', ADDRESS, ...settings);
    const id = String(answer['id']);
    expect(answer).toMatchObject({ eventTypes: ['payment.*', 'VIEW_ITEM'], maxPerSecond: 5 });
    expect(answer['secret']).toMatch(/^whsec_/);

    const change = ['--max-per-second', 'none', '--description', 'Grants', '--accept', '200'];
    const changed = await runJson('endpoints', 'change', id, ...change);
    const after = { maxPerSecond: null, description: 'Grants', accept: '200', url: ADDRESS };
    expect(changed).toEqual({ code: 0, answer: expect.objectContaining(after) });
    const disabled = await run('endpoints', 'disable', id);
    expect(disabled.stdout).toMatch(new RegExp(`^${id}: disabled \\(operator\\) since 20`));
    expect((await run('endpoints', 'list')).stdout).toContain('disabled (operator)');
    const enabled = await runJson('endpoints', 'enable', id);
    expect(enabled.answer).toMatchObject({ ...after, state: 'enabled' });
    expect((await run('endpoints', 'delete', id)).stdout).toBe(`${id} is deleted.\n`);
    expect(await runJson('endpoints', 'show', id)).toMatchObject({
      ...{ code: 1, error: { kind: 'refused', reason: 'WEBHOOK_ENDPOINT_NOT_FOUND' } },
    });
  });

  it('tells how endpoints are, and what was given up', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answerWith(() => 500);
    const { answer } = await runJson('endpoints', 'create', receiver.url);
    const id = String(answer['id']);
    await run('test', id, '--type', 'payment.failed');
    const look = async () => {
      const { answer } = await runJson('status');
      const [app] = answer['apps'] as { endpoints: Record<string, unknown>[] }[];
      return app?.endpoints.find((endpoint) => endpoint['id'] === id);
    };
    // The workers write down deliveries in flight once a second. The API is asked for it meanwhile: a program starts
    // anew.
    const ask = async () => {
      const { body } = await ledger.operator.get(`/manage/apps/${ledger.appId}/webhook-status`);
      return body['endpoints'] as Record<string, unknown>[];
    };
    const isInFlight = async () => (await ask()).some((endpoint) => endpoint['inFlight'] === 1);
    await eventually(isInFlight, { what: 'the delivery' });
    const isInstant: unknown = expect.stringMatching(/^20.*Z$/);
    expect(await look()).toMatchObject({
      ...{ state: 'enabled', class: 'failing', breaker: 'closed', behind: false, failed: 0 },
      ...{ failingSince: isInstant, oldestInFlightAt: isInstant, behindSince: '' },
    });
    expect(await listRetriesOnBoard()).toContain(id);
    const all = await run('status', '--all-apps', '--troubled');
    expect(all.stdout).toMatch(
      new RegExp(`^${ledger.appId} +${id} +enabled +failing +closed`, 'm'),
    );
    expect(all.stdout).toMatch(
      /\d+ failing, \d+ held; \d+ in flight, 0 behind, 0 failed for good\.$/m,
    );
    expect((await run('failed', id)).stdout).toBe('Nothing is listed that failed for good.\n');
    expect(await runJson('failed')).toMatchObject({ answer: { failures: [], isCut: false } });
    expect(await runJson('failed', 'whe_none')).toMatchObject({
      ...{ code: 1, error: { reason: 'WEBHOOK_ENDPOINT_NOT_FOUND' } },
    });
    await run('endpoints', 'disable', id);
    expect(await look()).toMatchObject({ class: 'held', disabledReason: 'operator' });
    await run('endpoints', 'delete', id);
    await receiver.close();
  });

  it('rotates secrets, and asks for tests and resends', async () => {
    const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
    const receiver = await startWebhookReceiver();
    const { body } = await ledger.operator.post(path, { url: receiver.url });
    const id = String(body['id']);
    const rotated = await runJson('endpoints', 'rotate-secret', id, '--expire-old-after', '0');
    expect(rotated.answer['secret']).toMatch(/^whsec_/);
    expect(rotated.answer['secret']).not.toBe(body['secret']);
    const test = await run('test', id, '--type', 'MUTATE_CART');
    expect(test.stdout).toBe('A sample of MUTATE_CART is sent.\n');
    await receiver.until(([first]) => first?.type === 'MUTATE_CART');
    expect((await runJson('test', id)).answer).toMatchObject({ id, state: 'enabled' });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received[1]?.type).toBe('payment.succeeded');
    const webhookId = String(receiver.received[1]?.headers['webhook-id']);
    const read = () => runJson('log', id, '--webhook-id', webhookId, '--state', 'delivered');
    const log = `${path}/${id}/deliveries?webhookId=${webhookId}&state=delivered`;
    const isLogged = async () =>
      ((await ledger.operator.get(log)).body['deliveries'] as unknown[]).length === 1;
    await eventually(isLogged, { what: 'the attempt' });
    const { deliveries } = (await read()).answer;
    expect(deliveries).toMatchObject([{ webhookId, body: String(receiver.received[1]?.bytes) }]);
    const [{ streamName, revision }] = deliveries as [{ streamName: string; revision: number }];
    expect((await run('log', id, '--type', 'MUTATE_CART')).stdout).toMatch(
      /MUTATE_CART +delivered +1 +204/,
    );
    const place = [
      '--webhook-id',
      webhookId,
      '--stream',
      streamName,
      '--revision',
      String(revision),
    ];
    expect(await runJson('resend', id, ...place)).toEqual({
      ...{ code: 0, answer: { queued: 1 }, error: undefined },
    });
    await receiver.until(({ length }) => length === 3);
    expect(receiver.received[2]?.headers['webhook-id']).toBe(webhookId);
    await receiver.close();
    expect((await run('resend', id, '--failed')).stdout).toBe('Nothing is listed that failed.\n');
    const since = new Date(Date.now() - 60_000).toISOString();
    const range = await run('resend', id, '--since', since, '--types', 'payment.*');
    expect(range.stdout).toBe('There is nothing to send.\n');
    for (const args of [[], [...place.slice(0, -1), '-1']]) {
      const refused = await runJson('resend', id, ...args);
      expect(refused).toMatchObject({ code: 2, error: { kind: 'usage' } });
    }
    const half = await runJson('resend', id, ...place.slice(0, -2));
    expect(half).toMatchObject({ code: 1, error: { reason: 'INVALID_FIELDS' } });
    const help = await run('resend', '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--failed')]);
  });
});
