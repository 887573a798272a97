import { connectForReading } from '#projection-engine';
import type { Redis } from '#redis';
import { deliveryLogKey } from './keys.js';
import { KEPT_SECONDS } from './limits.js';
import { cutDeliveries, type DeliveryFilter, type DeliveryPage } from './logged-delivery.js';
import { comparePlaces, type ListPlace } from './log-place.js';
import { type LoggedAttempt, PartitionLog } from './partition-log.js';

interface Ledger {
  readonly layoutId: string;
  readonly partitions: number;
}

/** Connects to the log of a ledger; it does not wait for Redis, calls do, within their limit. */
export function openDeliveryLog(redisUrl: string, ledger: Ledger): DeliveryLog {
  return new DeliveryLog(connectForReading(redisUrl), ledger);
}

/** The attempts of endpoints, from the logs of all partitions (decision 0031). */
export class DeliveryLog {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: Ledger,
  ) {}

  /**
   * A page of an endpoint's deliveries, each with its attempts, by their newest attempts, newest first. All attempts
   * of the endpoint are looked at: where one delivery has no newer attempt is known by no less. What is recorded
   * while pages are read is on none of the later ones, and no delivery is on two.
   *
   * @param nowMs by the wall clock. @param after of the page before. @throws Fault `unavailable`.
   */
  async readDeliveries(
    endpointId: string,
    { limit, nowMs, after, ...filter }: PageOptions,
  ): Promise<DeliveryPage> {
    const attempts: LoggedAttempt[] = [];
    for await (const each of this.#readAll(endpointId, nowMs)) {
      const isNews = after !== undefined && comparePlaces(each.place, after.snapshot) > 0;
      if (!isNews) attempts.push(each);
    }
    return cutDeliveries(attempts, filter, { limit, after });
  }

  /** The newest attempt of a message; undefined where none is known. @throws Fault `unavailable`. */
  async findNewest(
    endpointId: string,
    messageId: string,
    nowMs: number,
  ): Promise<LoggedAttempt | undefined> {
    for await (const each of this.#readAll(endpointId, nowMs)) {
      if (each.messageId === messageId) return each;
    }
    return undefined;
  }

  close(): void {
    this.redis.disconnect();
  }

  /** What has become too old is not shown, also where Redis still has it. */
  async *#readAll(endpointId: string, nowMs: number): AsyncGenerator<LoggedAttempt> {
    const { layoutId, partitions } = this.ledger;
    const oldestMs = nowMs - KEPT_SECONDS * 1_000;
    const logs = Array.from({ length: partitions }, (_, partition) => {
      const key = deliveryLogKey({ layoutId, partition }, endpointId);
      return new PartitionLog(this.redis, key, partition, oldestMs);
    });
    const merged = new MergedLogs(logs);
    for (let each = await merged.next(); each !== undefined; each = await merged.next()) yield each;
  }
}

interface PageOptions extends DeliveryFilter {
  readonly limit: number;
  readonly nowMs: number;
  readonly after?: ListPlace | undefined;
}

/** The logs of all partitions as one, newest first. */
class MergedLogs {
  constructor(private readonly logs: readonly PartitionLog[]) {}

  async next(): Promise<LoggedAttempt | undefined> {
    if (this.logs.some(({ head, isAtEnd }) => head === undefined && !isAtEnd)) {
      await Promise.all(this.logs.map((log) => log.fill()));
    }
    return this.#findNewest()?.take();
  }

  #findNewest(): PartitionLog | undefined {
    let newest: PartitionLog | undefined;
    for (const log of this.logs) {
      const [place, best] = [log.head?.place, newest?.head?.place];
      if (place === undefined) continue;
      if (best === undefined || comparePlaces(place, best) > 0) newest = log;
    }
    return newest;
  }
}
