import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSubledger, subledger } from '../cli/subledger.js';
import { bearer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken, requireOk, seeing } from '../support/scenario.js';

const ledger = useLedger();
const bought = { subscriptionId: '', linkId: '', paymentId: '' };

const replay = (...args: string[]) =>
  subledger(['streams', 'replay', ...args, '--data-dir', ledger.standalone.dataDir], {});

/** A line of `--json`. */
interface Line {
  readonly occurredAt?: string;
  readonly causes?: readonly { readonly stream: string; readonly actor: string }[];
  readonly state?: { readonly status: string };
  readonly readModels?: readonly { readonly revision: number | null }[];
}

async function replayJson(...args: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await replay(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

beforeAll(async () => {
  const { subscriptionId, linkId, token } = await buy(ledger.backend, {
    plan: 'gold',
    player: 'audited',
  });
  const path = `/sdk/subscriptions/${subscriptionId}`;
  const player = bearer(
    ledger.standalone.baseUrl,
    await issuePlayerToken(ledger.backend, 'audited'),
  );
  const canceled = await player.post(`${path}/cancel`, { cancel_at_period_end: true });
  requireOk(canceled);
  const list = await ledger.backend.get(`${path}/payments`, seeing(token));
  const [{ paymentId = '' } = {}] = list.body['payments'] as { paymentId?: string }[];
  Object.assign(bought, { subscriptionId, linkId, paymentId });
  // Each read model goes at its own pace.
  const areUpToDate = async () => {
    const last = (await replayJson(subscriptionId)).at(-1);
    return last?.readModels?.every(({ revision }) => revision === 1) === true;
  };
  await eventually(areUpToDate, { what: 'read models that have the cancellation' });
});

describe('subledger streams replay', () => {
  it('tells the life of a subscription, event by event, and its last state whole', async () => {
    const { subscriptionId: id, linkId, paymentId } = bought;
    const { code, stdout, stderr } = await replay(id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [created = '', canceled = '', ...rest] = stdout.split('\n\n');
    expect(created).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?Z {2}revision 0 {2}subscription\.created\.v2 {2}by process:\S+ \(request \S+\)\n/,
    );
    expect(created).toContain('\n    price: 9.99 USD\n');
    expect(created).toContain(`\n    checkoutLinkId: ${linkId}\n`);
    // The way up, to the player's click on the page.
    expect(created).toContain(`revision 1 of payment-${paymentId}`);
    expect(created).toMatch(
      new RegExp(
        String.raw`checkout_link\.attempted\.v1, revision \d of checkout_link-${linkId}, .* by checkout \(request \S+\)\n`,
      ),
    );
    expect(canceled).toMatch(
      /revision 1 {2}subscription\.canceled\.v1 {2}by player:[0-9a-f]{32} \(request/,
    );
    expect(canceled).toContain('\n    status: active -> canceled\n');
    expect(canceled).not.toContain('price');
    const [state = '', verdicts = ''] = rest;
    expect(state).toMatch(/^FIELD +AFTER REVISION 1 +IN subscriptions NOW, REVISION 1\n/);
    expect(state).toMatch(/\nprice +9\.99 USD +9\.99 USD\n/);
    expect(verdicts).toBe(
      [
        'The read model subscriptions at revision 1 is as the domain has it.',
        'The read model due-dates at revision 1 is as the domain has it.',
        '',
      ].join('\n'),
    );
  });

  it('ends with a revision or with an instant, as it is asked', async () => {
    const { subscriptionId: id } = bought;
    const [first, second] = await replayJson(id);
    const statuses = async (asOf: string) =>
      (await replayJson(id, '--as-of', asOf)).map(({ state }) => state?.status);
    expect(await statuses('0')).toEqual(['active', undefined]);
    expect(await statuses('1')).toEqual(['active', 'canceled', undefined]);
    expect(await statuses(second?.occurredAt ?? '')).toEqual(['active', 'canceled', undefined]);
    const before = new Date(Date.parse(second?.occurredAt ?? '') - 1).toISOString();
    expect(await statuses(before)).toEqual(['active', undefined]);
    expect((await replay(id, '--as-of', '0')).stdout).toMatch(/\nstatus +active +canceled\n/);
    expect(await replay(id, '--as-of', '7')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: `subledger: subscription-${id} ends with revision 1: it has no revision 7.\n`,
    });
    expect(await replay(id, '--as-of', '2000-01-01T00:00:00Z')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining(`begins at ${first?.occurredAt?.slice(0, 10)}`),
    });
    expect(await replay(id, '--as-of', 'monday')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('2027-01-31T10:00:00Z'),
    });
  });

  it('prints one JSON object for each event, and one with the read models', async () => {
    const { subscriptionId: id, linkId } = bought;
    const [created, canceled, last] = await replayJson(id);
    expect(created?.causes?.at(-1)).toMatchObject({
      ...{
        stream: `checkout_link-${linkId}`,
        type: 'checkout_link.attempted.v1',
        actor: 'checkout',
      },
      correlationId: expect.stringMatching(/./),
    });
    expect(canceled).toMatchObject({
      ...{ revision: 1, type: 'subscription.canceled.v1', causes: [], lostCause: null },
      changes: [{ field: 'status', before: 'active', after: 'canceled' }, {}, {}, {}],
      state: { status: 'canceled', price: { amountMinor: '999', currency: 'USD' } },
    });
    expect(last?.readModels).toMatchObject([
      { name: 'subscriptions', revision: 1, state: canceled?.state, differences: [] },
      { name: 'due-dates', revision: 1, differences: [] },
    ]);
  });

  it('follows a payment up to the link that was paid, and the link up to the request of the studio', async () => {
    const [requested] = await replayJson(bought.paymentId);
    expect(requested?.causes?.map(({ stream }) => stream)).toEqual([
      `checkout_link-${bought.linkId}`,
    ]);
    const [created, attempted] = await replayJson(`checkout_link-${bought.linkId}`);
    expect(created).toMatchObject({ type: 'checkout_link.created.v2', actor: 'app', causes: [] });
    expect(attempted).toMatchObject({ type: 'checkout_link.attempted.v1', causes: [] });
    expect((await replay(bought.paymentId, '--diff')).code).toBe(0);
  });

  it('refuses streams that nothing folds, and those that are not there', async () => {
    for (const [text, sentence] of [
      [`sandbox_account-${bought.subscriptionId}`, 'cannot be replayed'],
      ['sub_none', 'There is no stream "subscription-sub_none"'],
    ] as const) {
      const stderr = expect.stringContaining(sentence);
      expect(await replay(text)).toMatchObject({ code: 1, stdout: '', stderr });
    }
    const both = await replay(bought.subscriptionId, '--diff', '--as-of', '0');
    expect(both).toMatchObject({ code: 2, stdout: '' });
  });
});

/** The places of a document in the standalone's Redis: a former generation may have it beside the one that answers. */
async function findDocuments(redis: Redis, readModel: string, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const key of await redis.keys(`*:${readModel}.*`)) {
    const isHash = (await redis.type(key)) === 'hash';
    if (isHash && (await redis.hexists(key, id)) === 1) found.push(key);
  }
  if (found.length === 0) throw new Error(`no document of ${id}`);
  return found;
}

/** Runs with a document that was altered by hand. */
async function withAltered(
  id: string,
  alter: (stored: string) => string,
  work: () => Promise<void>,
): Promise<void> {
  const file = path.join(ledger.standalone.dataDir, 'redis', 'connection-string');
  const redis = new Redis(readFileSync(file, 'utf8').trim());
  const keys = await findDocuments(redis, 'subscriptions', id);
  const stored = (await redis.hget(keys[0] ?? '', id)) ?? '';
  try {
    for (const key of keys) await redis.hset(key, id, alter(stored));
    await work();
  } finally {
    for (const key of keys) await redis.hset(key, id, stored);
    redis.disconnect();
  }
}

describe('subledger streams replay --diff', () => {
  const diff = (...args: string[]) => replay(bought.subscriptionId, '--diff', ...args);

  it('ends with 0 where the read models are as the domain has them', async () => {
    const { code, stdout } = await startSubledger(
      ['streams', 'replay', bought.subscriptionId, '--diff', '--json'],
      { DATA_DIR: ledger.standalone.dataDir },
    );
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { name: 'subscriptions', revision: 1, differences: [] },
      { name: 'due-dates', revision: 1, differences: [] },
    ]);
  });

  it('ends with 1 and names the field of a document that was altered by hand, with both values', async () => {
    const { subscriptionId: id } = bought;
    await withAltered(
      id,
      (stored) => stored.replace('"999"', '"1"'),
      async () => {
        const { code, stdout, stderr } = await diff();
        expect(code).toBe(1);
        expect(stdout).toContain('  price.amountMinor: 999 by the domain, 1 in the read model\n');
        expect(stderr).toBe(
          `subledger: subscription-${id} is not shown as the domain has it: 1 field differs.\n`,
        );
        const [line = ''] = (await diff('--json')).stdout.split('\n');
        expect(JSON.parse(line)).toMatchObject({
          differences: [{ field: 'price.amountMinor', domain: '999', readModel: '1' }],
        });
        expect((await replay(id)).stdout).toMatch(/\nprice +9\.99 USD +0\.01 USD\n/);
      },
    );
    expect((await diff()).code).toBe(0);
  });

  it('says of a damaged document that it cannot be compared, and the replay goes on without it', async () => {
    const { subscriptionId: id } = bought;
    await withAltered(
      id,
      () => 'no JSON',
      async () => {
        const { code, stdout, stderr } = await diff();
        expect({ code, stderr }).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('could be compared'),
        });
        expect(stdout).toContain('The read model subscriptions was not compared: ');
        expect(await replay(id)).toMatchObject({ code: 0 });
      },
    );
  });

  it('cannot do without Redis, and the replay can', async () => {
    const { subscriptionId: id } = bought;
    const store = path.join(ledger.standalone.dataDir, 'event-store', 'connection-string');
    const env = {
      EVENTSTOREDB_URL: readFileSync(store, 'utf8').trim(),
      REDIS_URL: 'redis://:secret@127.0.0.1:9',
    };
    const without = await subledger(['streams', 'replay', id, '--diff'], env);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('Redis at REDIS_URL cannot be reached');
    expect(without.stderr).not.toContain('secret');
    const replayed = await subledger(['streams', 'replay', id], env);
    expect(replayed.code).toBe(0);
    expect(replayed.stdout).toContain('\n    status: active -> canceled\n');
    expect(replayed.stdout).toContain('The read model subscriptions was not compared: Redis');
    const { EVENTSTOREDB_URL } = env;
    const unset = await subledger(['streams', 'replay', id, '--diff'], { EVENTSTOREDB_URL });
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining('REDIS_URL') });
  });
});
