import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventStore } from '#embedded-event-store';
import { createReadModels } from '#projection-engine';
import { projections, subscriptions } from '#projections';
import { readBackups } from '#worker-state';
import { eventually, untilReached } from '../../support/eventually.js';
import { runStoreCommand } from '../../chaos/store-command.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

const LOST = Array.from({ length: 4 }, (_, n) => `lost-${n}`);
const BOTH = ['payment.succeeded', 'subscription.created'];

describe("yesterday's backup with today's Redis", () => {
  let world: World;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    world = await World.start({ partitions: 2 });
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
  });
  afterAll(() => world.stop());

  /** As an operator does it: the old file is moved away, and the files beside it are kept. */
  async function restore(backup: string): Promise<void> {
    const { port } = world.store;
    await world.store.stop();
    for (const name of ['events.mdb', 'format.json']) {
      await rm(path.join(world.dataDir, name));
    }
    const { said } = await runStoreCommand(['restore', backup, '--data-dir', world.dataDir]);
    expect(said).toContain('Start it, and then its programs.');
    world.store = await startEventStore({ port, dataDir: world.dataDir });
    await untilReached(world.client);
  }

  /** Whether the last event of a subscription is all that the worker's backups name as in flight. */
  async function isBackedUpAlone(subscriptionId: string): Promise<boolean> {
    const { position } = (await world.events(`subscription-${subscriptionId}`)).at(-1)!;
    const backups = await readBackups(world.client, await world.client.namespaces.require());
    const named = backups.flatMap((backup) => backup?.inFlight ?? []);
    return named.length === 1 && named[0]!.member.startsWith(`${position} `);
  }

  async function findShown(ids: readonly string[]) {
    const identity = await world.client.namespaces.require();
    const readModels = createReadModels({ redis: world.redisUrl, identity, projections });
    try {
      const queries = readModels.ask(subscriptions);
      const found = await Promise.all(ids.map((id) => queries.byId(id)));
      return found.map((document) => document?.state.subscriptionId);
    } finally {
      await readModels.close();
    }
  }

  it('is recognised: nothing of the lost time is shown, and nothing new is taken for it', async () => {
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const before = await world.startWorker();
    const kept = await world.buy(appId, { player: 'kept' });
    await receiver.until(() => receiver.typesSentFor(kept).length === 2);
    // A delivery that is under way when the backup is made, and ends in the time that is lost.
    receiver.answerWith(() => 503);
    await world.cancel(appId, kept);
    await receiver.until(() => receiver.typesSentFor(kept).length === 3);
    const backup = `${world.dataDir}-backup`;
    world.onStop(() => rm(backup, { recursive: true, force: true }));
    await eventually(() => isBackedUpAlone(kept), {
      what: 'a backup that names that delivery alone',
    });
    const made = await runStoreCommand(['backup', backup, '--data-dir', world.dataDir]);
    expect(made).toMatchObject({ code: 0 });
    receiver.answerWith(() => 204);
    const lost = await Promise.all(LOST.map((player) => world.buy(appId, { player })));
    await receiver.until(() => lost.every((id) => receiver.typesSentFor(id).length === 2));
    await before.stop();

    await world.betweenRuns(() => restore(backup));
    expect(await findShown([kept, ...lost])).toEqual([kept, ...lost.map(() => undefined)]);
    await world.startWorker();
    // They take the positions that the lost ones had.
    const bought = await Promise.all(LOST.map((player) => world.buy(appId, { player })));
    await receiver.until(() => bought.every((id) => receiver.typesSentFor(id).length === 2));
    for (const id of bought) expect(receiver.typesSentFor(id).sort()).toEqual(BOTH);
    await receiver.until(() => receiver.typesSentFor(kept).length >= 4);
    expect(receiver.typesSentFor(kept).slice(0, 2).sort()).toEqual(BOTH);
    expect(new Set(receiver.typesSentFor(kept).slice(2))).toEqual(
      new Set(['subscription.canceled']),
    );
  });
});
