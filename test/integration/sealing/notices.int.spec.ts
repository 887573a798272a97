import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsToAppend } from '#event-store';
import { parseCheckpoint, parseNote, verifyConsistency } from '#seal';
import { sealNow, SealNotices } from '#sealing';
import { contextFor, NOW } from '../tenancy/support.js';
import { SealedLedger } from './support.js';
import { createWitness as newWitness, readNotices as notices } from './witness.js';

let ledger: SealedLedger;
let count = 0;
beforeAll(async () => {
  ledger = await SealedLedger.start();
});
afterAll(() => ledger.remove());

/** An app of its own. */
function createWitness(eventTypes = ['ledger.sealed'], sealWitness = true) {
  count += 1;
  const appId = `app_0123456789abcd${String(count).padStart(2, '0')}`;
  return newWitness(ledger.store, { appId, eventTypes, sealWitness });
}

async function seal(name: string): Promise<number> {
  await ledger.add(3, name);
  return (await sealNow(ledger.sealing))?.checkpoint.size ?? 0;
}

const readNotices = (appId: string) => notices(ledger.store, appId);
const readSizes = async (appId: string) => (await readNotices(appId)).map(({ data }) => data.size);
const write = () => new SealNotices(ledger.store).write();

describe('an app that witnesses the ledger', () => {
  it('is notified of each checkpoint from the newest one on, with a proof from the one before', async () => {
    const { appId } = await createWitness();
    await seal('first');
    const sizes = [await seal('a')];
    await write();
    sizes.push(await seal('b'));
    await write();
    sizes.push(await seal('c'), await seal('d'));
    await write();
    await write();
    const notified = await readNotices(appId);
    expect(notified.map(({ data }) => data.size)).toEqual(sizes);
    for (const [at, { data }] of notified.entries()) {
      const before = notified[at - 1]?.data;
      if (before === undefined) continue;
      expect(data.previousSize).toBe(before.size);
      const [from, to] = [before, data].map(({ note }) => parseCheckpoint(parseNote(note).text));
      const proof = data.hashes.map((hash) => Buffer.from(hash, 'base64'));
      expect(from && to && verifyConsistency(from, to, proof)).toBe(true);
    }
  });

  it('is notified once where two bookkeepers do so, of the same as other apps', async () => {
    const [one, other] = [await createWitness(), await createWitness(['*', 'ledger.sealed'])];
    const sizes: number[] = [];
    for (const name of ['two-a', 'two-b', 'two-c']) {
      sizes.push(await seal(name));
      await Promise.all([write(), write(), write()]);
    }
    const notified = await readNotices(one.appId);
    expect(notified.map(({ data }) => data.size)).toEqual(sizes);
    const others = await readNotices(other.appId);
    expect(others.map(({ data }) => data)).toEqual(notified.map(({ data }) => data));
    expect(new Set([...notified, ...others].map(({ id }) => id)).size).toBe(6);
  });

  it('is notified of sixteen that it missed at most, the newest ones', async () => {
    const { appId } = await createWitness();
    const sizes = [await seal('many')];
    await write();
    for (let at = 0; at < 18; at += 1) sizes.push(await seal(`many-${at}`));
    await write();
    expect(await readSizes(appId)).toEqual([sizes[0], ...sizes.slice(-16)]);
  });

  it('has notices by its own clock, of which the store keeps a thousand', async () => {
    const { appId } = await createWitness();
    const reached = { type: 'test_clock.target_reached.v1', data: { offsetMs: 400 * 86_400_000 } };
    const advanced = eventsToAppend([reached], contextFor(appId), '');
    await ledger.store.append(`test_clock-${appId}`, 'no_stream', advanced);
    await seal('metadata');
    await write();
    const [notice] = await readNotices(appId);
    expect(notice?.metadata).toMatchObject({ appId, environment: 'test' });
    const aheadMs = Date.parse(notice?.metadata.occurredAt ?? '') - Date.now();
    expect(Math.round(aheadMs / 86_400_000)).toBe(400);
    const stored = ledger.store.names.toStored(`$$seal_notice-${appId}`);
    const [said] = await ledger.store.verbatim.readStream(stored, { maxCount: 1 });
    expect(JSON.parse(Buffer.from(said?.data ?? '').toString())).toEqual({ $maxCount: 1_000 });
  });
});

describe('no notice is written', () => {
  it.each([
    ['while its endpoint takes all types and does not name this one', ['*', 'v2'], true],
    ['while the app may not witness', ['ledger.sealed'], false],
  ])('%s', async (_, eventTypes, sealWitness) => {
    const { appId } = await createWitness(eventTypes, sealWitness);
    await seal(`no-${count}`);
    await write();
    expect(await readSizes(appId)).toEqual([]);
  });

  it('once the setting was turned off, or the endpoint was removed', async () => {
    const [off, removed] = [await createWitness(), await createWitness()];
    const size = await seal('before-off');
    await write();
    await off.allow(false);
    await removed.act({ kind: 'DeleteWebhookEndpoint', now: NOW });
    await seal('after-off');
    await write();
    expect(await readSizes(off.appId)).toEqual([size]);
    expect(await readSizes(removed.appId)).toEqual([size]);
  });
});
