import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupStream, readBackup, workerKeys } from '#worker-state';
import { REDIS } from '../../../apps/worker/src/tokens.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { World } from './world.js';

/** As a failover to a replica does, or a power cut: Redis holds its content of some time before. */
/** The position of the backup itself may come a moment after it, and move the checkpoint once more. */
const STILL_LOOKS = 10;

describe('a worker whose Redis has gone back by a moment', () => {
  let world: World;
  let receiver: WebhookReceiver;
  let dir: string;
  let checkpointKey: string;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'subledger-went-back-'));
    world = await World.start({ appendOnly: true });
    world.onStop(() => rm(dir, { recursive: true, force: true }));
    receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    const { layoutId } = await world.client.namespaces.require();
    checkpointKey = workerKeys(layoutId, 0).checkpoint;
  });
  afterAll(() => world.stop());

  const readCheckpoint = async () => {
    const redis = new Redis(world.redis.url);
    const stored = await redis.get(checkpointKey);
    redis.disconnect();
    return stored;
  };

  it('delivers what was enqueued within it, though its checkpoint stands where it stood', async () => {
    const worker = await world.startWorker();
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const id = await world.buy(appId);
    await receiver.until(({ length }) => length === 2);
    // No backup comes any more, nor anything else that moves the checkpoint.
    let before: string | null = null;
    let unchangedLooks = 0;
    await eventually(async () => {
      const last = before;
      before = await readCheckpoint();
      const isStill = before === last && (await isBackedUp());
      unchangedLooks = isStill ? unchangedLooks + 1 : 0;
      return unchangedLooks >= STILL_LOOKS;
    });
    await cp(world.redis.dir, dir, { recursive: true });
    const checkpoints: (string | null)[] = [];
    worker.onceWhenDeliveriesBegan(async () => {
      checkpoints.push(await readCheckpoint());
      const { port } = world.redis;
      await world.redis.kill();
      world.redis = await startRedis({ port, dir, appendOnly: true });
      checkpoints.push(await readCheckpoint());
      const [partition] = worker.partitions();
      const redis = partition?.get<Redis>(REDIS, { strict: false });
      await eventually(async () => (await redis?.ping().catch(() => '')) === 'PONG');
    });
    await world.cancel(appId, id);
    await receiver.until(() => receiver.received.some(({ type }) => type.endsWith('.canceled')));
    expect(checkpoints).toEqual([before, before]);
  });

  /** The last event of all is a backup that names nothing in flight. */
  async function isBackedUp(): Promise<boolean> {
    const { layoutId } = await world.client.namespaces.require();
    const stream = backupStream(layoutId, 0);
    const [last] = (await world.events(stream)).slice(-1);
    const { backup } = await readBackup(world.client, stream);
    const isLast = last?.position === (await world.client.headPosition());
    return isLast && backup?.inFlight.length === 0;
  }
});
