import { Partitions } from '#event-store';
import { type Redis, redisReply } from '#redis';
import { decodeAttempt } from './attempt.js';
import { workerKeys } from './keys.js';
import { ATTEMPTS_AT_ONCE, KEPT_SECONDS } from './limits.js';
import {
  cutDeliveries,
  type DeliveryFilter,
  type DeliveryPage,
  type LoggedAttempt,
} from './logged-delivery.js';

interface PageOptions extends DeliveryFilter {
  readonly limit: number;
  readonly nowMs: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** The attempts of endpoints, from the logs of all partitions (decision 0031). */
export class DeliveryLog {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: { readonly layoutId: string; readonly partitions: number },
  ) {}

  /**
   * A page of an endpoint's deliveries, each with its attempts, by their newest attempts, newest first. All attempts of
   * the endpoint are looked at: where one delivery has no newer attempt is known by no less. An attempt recorded while
   * pages are read is on none of the later ones, and no delivery is on two.
   *
   * @param nowMs by the wall clock. @throws Fault `unavailable`.
   */
  async readDeliveries(
    endpointId: string,
    { limit, nowMs, after, ...filter }: PageOptions,
  ): Promise<DeliveryPage> {
    // Attempts that have become too old are not shown, also where Redis still has them.
    const oldestMs = nowMs - KEPT_SECONDS * 1_000;
    const { numbers } = new Partitions(this.ledger.partitions);
    const reading = numbers.map((partition) => this.#readLog(endpointId, partition, oldestMs));
    const attempts = (await Promise.all(reading)).flat();
    attempts.sort((left, right) => (left.place > right.place ? -1 : 1));
    return cutDeliveries(attempts, filter, { limit, after });
  }

  async #readLog(
    endpointId: string,
    partition: number,
    oldestMs: number,
  ): Promise<LoggedAttempt[]> {
    const key = workerKeys(this.ledger.layoutId, partition).deliveryLog(endpointId);
    const attempts: LoggedAttempt[] = [];
    let before = '+';
    for (;;) {
      const reply = this.redis.xrevrange(key, before, oldestMs, 'COUNT', ATTEMPTS_AT_ONCE);
      const found = await redisReply(reply);
      attempts.push(...found.map(([id, [, text = '']]) => readEntry(id, text, partition)));
      if (found.length < ATTEMPTS_AT_ONCE) return attempts;
      before = `(${found.at(-1)?.[0] ?? ''}`;
    }
  }
}

/** @param id of the stream's entry: its millisecond, and its number among those of that millisecond. */
function readEntry(id: string, text: string, partition: number): LoggedAttempt {
  const [ms = 0, count = 0] = id.split('-').map(Number);
  const place = [ms, count, partition].map((part) => String(part).padStart(15, '0')).join('-');
  return { ...decodeAttempt(text), place, recordedAt: new Date(ms).toISOString() };
}
