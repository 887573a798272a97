import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appAggregate } from '#domain/app';
import { createCommandExecutor, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, fixedMasterKeys, newAppId, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { verifyWebhook } from '../support/verify-webhook.js';
import { walkSealedStreams } from '../../apps/cli/src/master-key/sealed-streams.js';
import { backendClient, operatorClient } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useOwnLedger } from '../support/fixture.js';
import { buy, requireOk } from '../support/scenario.js';
import { startStandalone } from '../support/standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const ledger = useOwnLedger();
let receiver: WebhookReceiver;
let secret: string;
let stripeApp: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  secret = await createEndpoint();
  await setKeys(await createApp());
});
afterAll(() => receiver.close());

async function createEndpoint(): Promise<string> {
  const endpoint = { url: receiver.url, eventTypes: ['subscription.created'] };
  const answer = await ledger.operator.post(
    `/manage/apps/${ledger.appId}/webhook-endpoints`,
    endpoint,
  );
  return String(requireOk(answer).body['secret']);
}

/** An app that has keys of Stripe and of a catalog beside its own secrets. */
async function createApp(): Promise<string> {
  const app = { name: 'Silver Rush', environment: 'test' };
  return String(requireOk(await ledger.allApps.post('/manage/apps', app)).body['appId']);
}

/** @returns the revision of the app. */
async function setKeys(appId: string): Promise<string | null> {
  stripeApp = appId;
  const keys = {
    secretKey: `sk_test_${'a1'.repeat(12)}`,
    webhookSecret: `whsec_${'b2'.repeat(12)}`,
  };
  const catalog = { baseUrl: 'https://api.game.example', path: '/catalog' };
  const catalogKey = { apiKeyHeader: 'x-key', apiKey: 'c3'.repeat(12) };
  const body = { gateway: { kind: 'stripe', ...keys }, catalog: { ...catalog, ...catalogKey } };
  const address = `/manage/apps/${appId}`;
  const answer = requireOk(await ledger.allApps.send('PATCH', address, { body }));
  return answer.headers.get('etag');
}

async function rotate(...options: string[]): Promise<Record<string, unknown>> {
  const args = ['master-key', 'rotate', '--data-dir', ledger.standalone.dataDir, '--json'];
  const { stdout, stderr, code } = await subledger([...args, ...options], {});
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const keyFile = () => path.join(ledger.standalone.dataDir, 'master.key');
const readKeys = async () => (await readFile(keyFile(), 'utf8')).trim().split('\n');

describe('subledger master-key rotate', () => {
  it('seals every secret under a new key, while the programs go on', async () => {
    const [formerKey] = await readKeys();
    const before = await rotate('--status');
    const secrets = Number((before['keys'] as { secrets: number }[])[0]?.secrets);
    expect(before).toMatchObject({ keys: [{ secrets: 12 }], isDone: true });

    const rotated = await rotate();
    expect(rotated).toMatchObject({ isNew: true, streams: 3, resealed: secrets, unopenable: 0 });
    expect(await readKeys()).toEqual([expect.not.stringMatching(/^$/), formerKey]);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);

    // The programs open and seal under the new key, with nothing of theirs started anew.
    await createEndpoint();
    const { presentKey } = rotated;
    expect(await rotate('--status')).toEqual({
      keys: [
        { id: presentKey, secrets: secrets + 1 },
        { id: (rotated['formerKeys'] as string[])[0], secrets: 0 },
      ],
      ...{ unknown: 0, left: 0, isDone: true },
    });
    await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
    await receiver.until((received) => received.length >= 1);
    const verified = receiver.received.map(({ headers, bytes }) =>
      verifyWebhook(secret, headers, bytes.toString()),
    );
    expect(verified).toContain(true);
    expect((await ledger.operator.get(`/manage/apps/${ledger.appId}`)).status).toBe(200);
    // Keys whose opened text is the given one are no change.
    const shown = await ledger.allApps.get(`/manage/apps/${stripeApp}`);
    expect(await setKeys(stripeApp)).toBe(await setKeys(stripeApp));
    expect(shown.body).toMatchObject({ gateway: { kind: 'stripe', secretKeyEnding: 'a1a1' } });
  });

  it('keeps the former keys as long as a secret is under one', async () => {
    const keys = await readKeys();
    await writeFile(keyFile(), [randomBytes(32).toString('base64'), ...keys].join('\n'));
    const { dataDir } = ledger.standalone;
    const drop = ['master-key', 'rotate', '--drop-former', '--data-dir', dataDir];
    const { code, stderr } = await subledger(drop, {});
    expect([code, stderr]).toEqual([
      1,
      'subledger: 14 secrets are not under the present key yet: rotate first.\n',
    ]);
    expect(await readKeys()).toHaveLength(3);
    expect(await rotate()).toMatchObject({ isNew: false, resealed: 14 });
  });

  it('keeps a former key that another ledger in the same store needs', async () => {
    const [present = '', former = ''] = await readKeys();
    const key = (text: string) => Buffer.from(text, 'base64');
    const url = await ledger.standalone.eventStoreUrl();
    const other = connectEventStore(url, { namespace: 'other' });
    try {
      await other.namespaces.open(1);
      const now = wallClock.now();
      const appId = newAppId(now);
      const { sealed } = await createAppSecrets(createSeal(key(former))).createFor(appId);
      const app = { appId, name: 'Other', environment: 'test', createdAt: now, ...sealed } as const;
      const context = {
        appId,
        environment: 'test',
        actor: 'cli',
        correlationId: 'r',
        now,
      } as const;
      const commands = createCommandExecutor(other);
      await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
      const { dataDir } = ledger.standalone;
      const drop = ['master-key', 'rotate', '--drop-former', '--data-dir', dataDir];
      const { code, stderr } = await subledger(drop, {});
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^subledger: The namespace "other" has 4 secrets under a former key/),
      ]);
      expect(await readKeys()).toHaveLength(3);
      const seal = createSeal(fixedMasterKeys([key(present), key(former)]));
      const walk = { store: other, seal, after: START, isDryRun: false };
      const { count } = await walkSealedStreams(walk);
      expect(count.resealed).toBe(4);
    } finally {
      await other.dispose();
    }
  });

  it('goes on with what is begun, and drops the former key when nothing is under it', async () => {
    const keys = await readKeys();
    expect(await rotate()).toMatchObject({ isNew: false, resealed: 0 });
    expect(await readKeys()).toEqual(keys);
    expect(await rotate('--drop-former')).toMatchObject({ keys: [{ secrets: 14 }], isDone: true });
    expect(await readKeys()).toEqual(keys.slice(0, 1));

    const isRefused = async () => {
      const answer = await ledger.operator.get(`/manage/apps/${ledger.appId}`);
      return answer.status === 401;
    };
    await eventually(isRefused, { what: 'the end of tokens of the former key' });
    expect((await ledger.backend.get('/sdk/plans')).status).toBe(200);

    const code = await ledger.standalone.stop();
    expect(code).toBe(0);
    ledger.standalone = await startStandalone(ledger.standalone.dataDir);
    const { demo } = ledger.standalone;
    expect((await backendClient(demo).get('/sdk/plans')).status).toBe(200);
    expect((await operatorClient(demo).get(`/manage/apps/${demo.appId}`)).status).toBe(200);
  });
});
