import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLog } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { bearer } from '../support/api-client.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { checkoutLink, issuePlayerToken, requireOk, seeing } from '../support/scenario.js';
import { readStoreUrl } from '../support/standalone.js';

const ledger = useLedger();
const receiver = useReceiver(ledger);
/** No other test writes these. */
const ACCOUNT = 'needle-account-4711';
const REFERENCE = 'needle-reference-4711';
const CAMPAIGN = 'needle-campaign-4711';

describe('personal data', () => {
  it('is shown to the studio, and stands in no file of the ledger', async () => {
    const { id } = await checkoutLink(ledger.backend, {
      ...{ plan: 'gold', player: ACCOUNT, referenceId: REFERENCE },
      metadata: { campaign: CAMPAIGN },
    });
    const paid = { paymentMethod: 'pm_ok' };
    const page = `/checkout/${id}/complete`;
    const completed = requireOk(
      await ledger.backend.post(page, paid, { 'idempotency-key': 'needle-key-4711' }),
    );
    // A guess at the request could be compared with this (decision 0017).
    const plainHash = createHash('sha256').update(`POST ${page}\n${JSON.stringify(paid)}`);
    const guessed = plainHash.digest('base64url');
    const subscriptionId = String(completed.body['subscriptionId']);
    const seen = seeing(completed);

    await receiver.until((received) => received.length >= 2);
    for (const { type, data } of receiver.received) {
      expect(data['external_account_id']).toBe(ACCOUNT);
      expect([type, data['reference_id']]).toEqual([type, REFERENCE]);
      if (type === 'payment.succeeded') expect(data['metadata']).toEqual({ campaign: CAMPAIGN });
    }
    const shown = await ledger.backend.get(`/sdk/subscriptions/${subscriptionId}`, seen);
    const named = { external_account_id: ACCOUNT, reference_id: REFERENCE };
    expect(shown.body).toMatchObject(named);
    const { baseUrl, dataDir } = ledger.standalone;
    const player = bearer(baseUrl, await issuePlayerToken(ledger.backend, ACCOUNT));
    const listed = await player.get('/sdk/subscriptions', seen);
    expect(listed.body).toMatchObject({ subscriptions: [named] });
    const payments = await player.get(`/sdk/subscriptions/${subscriptionId}/payments`, seen);
    expect(payments.body).toMatchObject({
      payments: [{ referenceId: REFERENCE, enrichmentFields: { externalAccountId: ACCOUNT } }],
    });
    const canceled = await player.post(`/sdk/subscriptions/${subscriptionId}/cancel`);
    expect(canceled.body).toMatchObject(named);

    const files = await Promise.all((await listFiles(dataDir)).map(read));
    const events = Buffer.from(await readEvents(dataDir));
    expect(events.includes('needle-key-4711')).toBe(true);
    for (const content of [Buffer.concat(files), events]) {
      // The name of the subscription's stream is found, so that the search looks in the right place.
      expect(content.includes(subscriptionId)).toBe(true);
      for (const needle of [ACCOUNT, REFERENCE, CAMPAIGN, guessed]) {
        expect([needle, content.includes(needle)]).toEqual([needle, false]);
      }
    }
  });
});

async function listFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

/** All that the store gives to a reader: its files are compressed. */
async function readEvents(dataDir: string): Promise<string> {
  const store = connectEventStore(await readStoreUrl({ dataDir }));
  const categories = ['player', 'checkout_link', 'subscription', 'payment', 'idempotency_key'];
  let text = '';
  try {
    for await (const { events } of readLog({ store, categories })) text += JSON.stringify(events);
    return text;
  } finally {
    await store.dispose();
  }
}

/** A file that is gone meanwhile, as temporary ones are, holds nothing. */
async function read(file: string): Promise<Buffer> {
  return readFile(file).catch(() => Buffer.alloc(0));
}
