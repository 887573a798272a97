import { Queue } from 'bullmq';
import { webhookHeaders } from '#webhooks';
import { DELIVERIES_AT_ONCE } from '../../apps/worker/src/limits.js';
import { type RunningProgram, startProgram } from '../support/program.js';
import { type DeliveryScene, whileHalted } from './delivery-scene.js';
import { readSpentMs } from './spent.js';

export const BARE_QUEUE = 'bare';
/** Jobs of one addBulk. */
const ADDED_AT_ONCE = 1_000;

export interface BareJob {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Delivered {
  readonly perSecond: number;
  /** Processor time of the worker for each, in milliseconds. */
  readonly msEach: number;
}

/** A bare worker that posts the same bytes, from the same Redis to the same receiver. */
export class BareDeliveries {
  private constructor(
    private readonly receiver: DeliveryScene['receiver'],
    private readonly queue: Queue<BareJob>,
    private readonly worker: RunningProgram,
    private readonly body: string,
  ) {}

  /** @param warmUp so many are posted before. */
  static async start(
    { redis, receiver }: DeliveryScene,
    body: string,
    warmUp: number,
  ): Promise<BareDeliveries> {
    const queue = new Queue<BareJob>(BARE_QUEUE, { connection: { url: redis.url } });
    const worker = await startProgram('test/bench/delivery-bare-worker.js', {
      ...{ REDIS_URL: redis.url, BARE_URL: `${receiver.url}/bare` },
      BARE_CONCURRENCY: String(DELIVERIES_AT_ONCE),
    });
    const deliveries = new BareDeliveries(receiver, queue, worker, body);
    await deliveries.deliver(warmUp);
    return deliveries;
  }

  /** How fast so many are posted, all of which wait before the first. */
  async deliver(count: number): Promise<Delivered> {
    const { pid } = this.worker;
    const wanted = this.receiver.received() + count;
    await whileHalted(this.worker, () => addJobs(this.queue, this.body, count));
    const startedAtMs = performance.now();
    const spentMs = readSpentMs(pid);
    await this.receiver.until(wanted);
    const perSecond = (count * 1000) / (performance.now() - startedAtMs);
    return { perSecond, msEach: (readSpentMs(pid) - spentMs) / count };
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.queue.close();
  }
}

async function addJobs(queue: Queue<BareJob>, body: string, count: number): Promise<void> {
  const headers = webhookHeaders({
    ...{ messageId: 'msg_00000000-0000-0000-0000-000000000000', sequence: 1, body, retryCount: 0 },
    ...{ timestampSeconds: 1_800_000_000, secrets: ['c2VjcmV0'] },
  });
  const job = { name: 'post', data: { headers, body }, opts: { removeOnComplete: true } };
  for (let added = 0; added < count; added += ADDED_AT_ONCE) {
    const length = Math.min(ADDED_AT_ONCE, count - added);
    await queue.addBulk(Array.from({ length }, () => job));
  }
}
