import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventStore } from '#embedded-event-store';
import { subledger } from '../../cli/subledger.js';
import { untilReached } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

const PLAYERS = Array.from({ length: 4 }, (_, n) => `player-${n}`);
const BOTH = ['payment.succeeded', 'subscription.created'];

describe('a ledger that moves into another event store', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let target: string;

  beforeAll(async () => {
    world = await World.start({ partitions: 2 });
    target = await mkdtemp(path.join(tmpdir(), 'subledger-moved-'));
    world.onStop(() => rm(target, { recursive: true, force: true }));
    // Positions of the source are far ahead of the target's: another program's writes stay behind.
    const other = { contentType: 'application/json', data: Buffer.from('{}') };
    const events = Array.from({ length: 2_000 }, (_, n) => ({
      ...{ ...other, id: randomUUID(), type: `other.v${n}`, metadata: Buffer.from('{}') },
    }));
    await world.client.verbatim.append('other.stream-00.x', 'no_stream', events);
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
  });
  afterAll(() => world.stop());

  /** As an operator does it. The target then takes the source's address, which this process is connected to. */
  async function move(): Promise<void> {
    const { port } = world.store;
    await cp(path.join(world.dataDir, 'access'), path.join(target, 'access'), { recursive: true });
    const to = await startEventStore({ port: 0, dataDir: target });
    const args = ['--from', world.dataDir, '--to', target, '--switch', '--json'];
    const { code, stdout, stderr } = await subledger(['store', 'copy', ...args], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ isSame: true, isSwitched: true, differing: 0 });
    await to.stop();
    await world.store.stop();
    world.store = await startEventStore({ port, dataDir: target });
    await untilReached(world.client);
  }

  it('sends each webhook, with an empty Redis: what was in flight again, what had ended not', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const before = await world.startWorker();
    const buyAll = () => Promise.all(PLAYERS.map((player) => world.buy(appId, { player })));
    const bought = await buyAll();
    const unseen = await world.buy(appId, { player: 'unseen' });
    await receiver.until(() =>
      [unseen, ...bought].every((id) => receiver.typesSentFor(id).length === 2),
    );
    receiver.answerWith(() => 503);
    for (const id of bought) await world.cancel(appId, id);
    await receiver.until(() => bought.every((id) => receiver.typesSentFor(id).length === 3));
    await before.stop();
    // No worker has seen it yet.
    await world.cancel(appId, unseen);
    receiver.answerWith(() => 204);

    await world.betweenRuns(async () => {
      await move();
      await world.redis.command('FLUSHALL');
    });
    await world.startWorker();
    const later = await buyAll();
    await receiver.until(() => bought.every((id) => receiver.typesSentFor(id).length === 4));
    await receiver.until(() => later.every((id) => receiver.typesSentFor(id).length === 2));
    for (const id of later) expect(receiver.typesSentFor(id).sort()).toEqual(BOTH);
    await receiver.until(() => receiver.typesSentFor(unseen).length === 3);
    expect(receiver.typesSentFor(unseen)[2]).toBe('subscription.canceled');
    for (const id of bought) {
      expect(receiver.typesSentFor(id).slice(0, 2).sort()).toEqual(BOTH);
      expect(receiver.typesSentFor(id).slice(2)).toEqual([
        'subscription.canceled',
        'subscription.canceled',
      ]);
    }
  });
});
