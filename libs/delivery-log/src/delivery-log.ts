import { connectForReading } from '#projection-engine';
import type { Redis } from '#redis';
import type { Outcome } from './attempt.js';
import { deliveryLogKey } from './keys.js';
import { KEPT_SECONDS, LOOKED_AT_PER_PAGE } from './limits.js';
import { comparePlaces, type LogPlace } from './log-place.js';
import { type LoggedAttempt, type LogRange, PartitionLog } from './partition-log.js';

/** Which attempts are wanted; what is left out does not matter. */
export interface AttemptFilter {
  readonly messageId?: string | undefined;
  readonly type?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** When they were recorded, in milliseconds since the epoch; both are included. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface AttemptPage {
  /** Newest first. It can be short of what was asked for, also where more follow. */
  readonly attempts: readonly LoggedAttempt[];
  /** Where the next page goes on; null behind the last one. */
  readonly next: LogPlace | null;
}

/** A message, with all that is known of its attempts. */
export interface LoggedMessage extends Pick<
  LoggedAttempt,
  'messageId' | 'type' | 'streamName' | 'revision' | 'player'
> {
  readonly sequence: number;
  /** Oldest first. */
  readonly attempts: readonly LoggedAttempt[];
}

interface Ledger {
  readonly layoutId: string;
  readonly partitions: number;
}

/** Connects to the log of a ledger; it does not wait for Redis, calls do, within their limit. */
export function openDeliveryLog(redisUrl: string, ledger: Ledger): DeliveryLog {
  return new DeliveryLog(connectForReading(redisUrl), ledger);
}

/** The attempts of endpoints, from the logs of all partitions (decision 0120). */
export class DeliveryLog {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: Ledger,
  ) {}

  /**
   * A page of an endpoint's attempts, newest first. What is recorded while pages are read is on none of the later
   * ones, and no attempt is on two.
   *
   * @param nowMs by the wall clock. @param after of the page before. @throws Fault `unavailable`.
   */
  async readPage(
    endpointId: string,
    { limit, nowMs, after, ...filter }: PageOptions,
  ): Promise<AttemptPage> {
    const merged = this.#merge(endpointId, rangeFor(filter, nowMs), after);
    const attempts: LoggedAttempt[] = [];
    for (let looked = 0; looked < LOOKED_AT_PER_PAGE; looked += 1) {
      const attempt = await merged.next();
      if (attempt === undefined) return { attempts, next: null };
      if (fits(attempt, filter)) attempts.push(attempt);
      if (attempts.length === limit) break;
    }
    return { attempts, next: merged.isAtEnd ? null : merged.place };
  }

  /** The newest attempt of a message; undefined where none is known. @throws Fault `unavailable`. */
  async findNewest(
    endpointId: string,
    messageId: string,
    nowMs: number,
  ): Promise<LoggedAttempt | undefined> {
    const merged = this.#merge(endpointId, rangeFor({}, nowMs), undefined);
    for (let each = await merged.next(); each !== undefined; each = await merged.next()) {
      if (each.messageId === messageId) return each;
    }
    return undefined;
  }

  /** Undefined where no attempt of the message is known. @throws Fault `unavailable`. */
  async findMessage(
    endpointId: string,
    messageId: string,
    nowMs: number,
  ): Promise<LoggedMessage | undefined> {
    const merged = this.#merge(endpointId, rangeFor({}, nowMs), undefined);
    const attempts: LoggedAttempt[] = [];
    for (let each = await merged.next(); each !== undefined; each = await merged.next()) {
      if (each.messageId === messageId) attempts.push(each);
    }
    attempts.reverse();
    const [first] = attempts;
    if (first === undefined) return undefined;
    const { type, streamName, revision, sequence, player } = first;
    return { messageId, type, streamName, revision, sequence, player, attempts };
  }

  close(): void {
    this.redis.disconnect();
  }

  #merge(endpointId: string, range: LogRange, after: LogPlace | undefined): MergedLogs {
    const { layoutId, partitions } = this.ledger;
    const logs = Array.from({ length: partitions }, (_, partition) => {
      const key = deliveryLogKey({ layoutId, partition }, endpointId);
      return new PartitionLog(this.redis, key, partition, range, after);
    });
    return new MergedLogs(logs);
  }
}

interface PageOptions extends AttemptFilter {
  readonly limit: number;
  readonly nowMs: number;
  readonly after?: LogPlace | undefined;
}

/** The logs of all partitions as one, newest first. */
class MergedLogs {
  #place: LogPlace | null = null;

  constructor(private readonly logs: readonly PartitionLog[]) {}

  /** Of what was given last. */
  get place(): LogPlace | null {
    return this.#place;
  }

  /** Whether it is known that nothing follows. */
  get isAtEnd(): boolean {
    return this.logs.every(({ isAtEnd }) => isAtEnd);
  }

  async next(): Promise<LoggedAttempt | undefined> {
    if (this.logs.some(({ head, isAtEnd }) => head === undefined && !isAtEnd)) {
      await Promise.all(this.logs.map((log) => log.fill()));
    }
    const newest = this.#findNewest();
    this.#place = newest?.head?.place ?? this.#place;
    return newest?.take();
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

/** What has become too old is not shown, also where Redis still has it. */
function rangeFor({ fromMs = 0, untilMs }: AttemptFilter, nowMs: number): LogRange {
  return {
    fromMs: Math.max(fromMs, nowMs - KEPT_SECONDS * 1_000),
    // Redis may be a little ahead of this process.
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
  };
}

function fits(
  attempt: LoggedAttempt,
  { messageId = attempt.messageId, type = attempt.type, outcome = attempt.outcome }: AttemptFilter,
): boolean {
  return attempt.messageId === messageId && attempt.type === type && attempt.outcome === outcome;
}
