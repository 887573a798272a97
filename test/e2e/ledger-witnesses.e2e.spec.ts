import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCheckpoint, readSigningKey, verifyConsistency } from '#seal';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { createPlan, requireOk } from '../support/scenario.js';
import { sealStandalone } from '../support/seal/seal-standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { verifyWebhook } from '../support/verify-webhook.js';

const SEALED = 'ledger.sealed';
const ledger = useLedger();
let app: string;
let endpoints: string;
beforeAll(() => {
  app = `/manage/apps/${ledger.appId}`;
  endpoints = `${app}/webhook-endpoints`;
});

const allow = (sealWitness: boolean, operator = ledger.allApps) =>
  operator.send('PATCH', app, { body: { sealWitness } });

async function register(receiver: WebhookReceiver, eventTypes: readonly string[]) {
  const answer = await ledger.operator.post(endpoints, { url: receiver.url, eventTypes });
  return String(requireOk(answer).body['secret']);
}

/** Something happens, and a checkpoint is made as the command line makes it. */
async function seal(code: string): Promise<void> {
  await createPlan(ledger.operator, ledger.appId, { code });
  await sealStandalone(ledger.standalone);
}

describe('an app', () => {
  it('may witness the ledger where an operator for all apps says so', async () => {
    const refused = await allow(true, ledger.operator);
    expect(refusal(refused)).toEqual([403, 7, 'SCOPE_NOT_SUFFICIENT']);
    expect(requireOk(await ledger.operator.get(app)).body).toMatchObject({ sealWitness: false });
    const wanted = { url: 'http://127.0.0.1:9/', eventTypes: ['payment.*', SEALED] };
    const unallowed = await ledger.operator.post(endpoints, wanted);
    expect(badFields(unallowed)).toEqual(['eventTypes.1']);
    expect(requireOk(await allow(true)).body).toMatchObject({ sealWitness: true });
    expect(requireOk(await ledger.operator.get(app)).body).toMatchObject({ sealWitness: true });
    const noFlag = await ledger.allApps.send('PATCH', app, { body: { sealWitness: 'yes' } });
    expect(badFields(noFlag)).toEqual(['sealWitness']);
  });
});

describe('an endpoint that names the type', () => {
  it('is sent each checkpoint, proved by its own proof, and one of all types none', async () => {
    requireOk(await allow(true));
    const [witness, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
    const secret = await register(witness, [SEALED]);
    await register(other, ['*', 'v2']);
    for (const count of [1, 2, 3]) {
      await seal(`sealed-${count}`);
      await witness.until((received) => received.length >= count);
    }
    const pem = await readFile(path.join(ledger.standalone.dataDir, 'seal.key'), 'utf8');
    const trees = witness.received.map(({ type, data, headers, bytes }) => {
      expect(type).toBe(SEALED);
      expect(verifyWebhook(secret, headers, bytes.toString())).toBe(true);
      const note = String(data['note']);
      const tree = openCheckpoint(note, [readSigningKey(note.split('\n')[0] ?? '', pem)]);
      expect(data['size']).toBe(tree.size);
      return { tree, data };
    });
    // Other files of tests make checkpoints of the same ledger.
    expect(trees.length).toBeGreaterThanOrEqual(3);
    for (const [index, { tree, data }] of trees.entries()) {
      const before = trees[index - 1];
      if (before === undefined) continue;
      expect(data['previous_size']).toBe(before.tree.size);
      const proof = (data['hashes'] as string[]).map((hash) => Buffer.from(hash, 'base64'));
      expect(verifyConsistency(before.tree, tree, proof)).toBe(true);
    }
    expect(other.received).toEqual([]);
    await Promise.all([witness.close(), other.close()]);
  });
});
