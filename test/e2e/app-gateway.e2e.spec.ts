import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, bearer } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { requireOk } from '../support/scenario.js';

/** An app is set to a gateway (rules/stripe 8). */
const ledger = useLedger();
const secretKey = `sk_test_needle${'4711'.repeat(4)}Zx9q`;
const webhookSecret = `whsec_needle${'4712'.repeat(5)}`;
const stripe = { kind: 'stripe', secretKey, webhookSecret };
let appId: string;

beforeAll(async () => {
  appId = await createApp('test');
});

async function createApp(environment: string): Promise<string> {
  const app = { name: 'Paid by Stripe', environment };
  return String(requireOk(await ledger.allApps.post('/manage/apps', app)).body['appId']);
}

function set(gateway: object, to = appId): Promise<Answer> {
  return ledger.allApps.send('PATCH', `/manage/apps/${to}`, { body: { gateway } });
}

describe('the gateway of an app', () => {
  it('is set, shown without its secrets, and changed', async () => {
    const shown = async () => (await ledger.allApps.get(`/manage/apps/${appId}`)).body['gateway'];
    expect(await shown()).toEqual({ kind: 'sandbox' });
    const answer = requireOk(await set(stripe));
    expect(answer.body['gateway']).toEqual({ kind: 'stripe', secretKeyEnding: 'Zx9q' });
    expect(JSON.stringify(answer)).not.toContain('needle');
    requireOk(await set({ ...stripe, secretKey: `rk_test_${'b'.repeat(16)}Wy8p` }));
    expect(await shown()).toEqual({ kind: 'stripe', secretKeyEnding: 'Wy8p' });
    requireOk(await set({ kind: 'sandbox' }));
    expect(await shown()).toEqual({ kind: 'sandbox' });
  });

  it('is refused with the fields that are bad, and what they held is not repeated', async () => {
    const production = await createApp('production');
    const refusals = [
      [set({ kind: 'paypal' }), ['gateway.kind']],
      [set({ kind: 'stripe' }), ['gateway.secretKey', 'gateway.webhookSecret']],
      [set({ kind: 'stripe', secretKey }), ['gateway.webhookSecret']],
      [set({ ...stripe, secretKey: secretKey.replace('sk_', 'pk_') }), ['gateway.secretKey']],
      [set({ ...stripe, secretKey: webhookSecret }), ['gateway.secretKey']],
      [set({ ...stripe, webhookSecret: secretKey }), ['gateway.webhookSecret']],
      [set({ ...stripe, kind: 'sandbox' }), ['gateway.secretKey', 'gateway.webhookSecret']],
      [set({ ...stripe, secretKey: secretKey.replace('test', 'live') }), ['gateway.secretKey']],
      [set(stripe, production), ['gateway.secretKey']],
    ] as const;
    for (const [asked, fields] of refusals) {
      const answer = await asked;
      expect([...refusal(answer), badFields(answer)]).toEqual([400, 3, 'INVALID_FIELDS', fields]);
      expect(JSON.stringify(answer)).not.toContain('needle');
    }
  });

  it('is set by operators of the app alone', async () => {
    const stranger = bearer(ledger.standalone.baseUrl, 'no-token');
    const body = { gateway: { kind: 'sandbox' } };
    const address = `/manage/apps/${appId}`;
    expect((await stranger.send('PATCH', address, { body })).status).toBe(401);
    expect((await ledger.operator.send('PATCH', address, { body })).status).toBe(404);
  });

  it('leaves its secrets in no file, and in no event as they are', async () => {
    const { dataDir } = ledger.standalone;
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const bytes = await Promise.all(
      files.map(({ parentPath, name }) => readFile(path.join(parentPath, name))).map(orNothing),
    );
    const args = ['streams', 'read', `app-${appId}`, '--data-dir', dataDir, '--json'];
    const { stdout } = await subledger(args, {});
    expect(stdout).toContain('app.gateway_configured.v1');
    for (const content of [Buffer.concat(bytes), Buffer.from(stdout)]) {
      // The app's id is found, so that the search looks in the right place.
      expect(content.includes(appId)).toBe(true);
      expect(content.includes('needle4711')).toBe(false);
      expect(content.includes('needle4712')).toBe(false);
    }
  });
});

/** Files come and go while the ledger runs. */
function orNothing(reading: Promise<Buffer>): Promise<Buffer> {
  return reading.catch(() => Buffer.alloc(0));
}
