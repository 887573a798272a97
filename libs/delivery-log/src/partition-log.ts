import { type Redis, redisReply } from '#redis';
import { type AttemptRecord, decodeAttempt } from './attempt.js';
import { FIRST_CHUNK, LARGEST_CHUNK } from './limits.js';
import type { LogPlace } from './log-place.js';

/** An attempt as it was found. */
export interface LoggedAttempt extends AttemptRecord {
  readonly place: LogPlace;
  /** When the log took it, which is right after it ended: an ISO instant, by the clock of Redis. */
  readonly recordedAt: string;
}

/** The attempts of one partition, newest first, read in chunks that grow: most readers want but the newest. */
export class PartitionLog {
  #next: LoggedAttempt[] = [];
  #chunk = FIRST_CHUNK;
  #before = '+';
  #isAtEnd = false;

  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly partition: number,
    private readonly oldestMs: number,
  ) {}

  get head(): LoggedAttempt | undefined {
    return this.#next[0];
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd && this.#next.length === 0;
  }

  take(): LoggedAttempt | undefined {
    return this.#next.shift();
  }

  /** Reads on where nothing is left of what was read. @throws Fault `unavailable`. */
  async fill(): Promise<void> {
    if (this.#isAtEnd || this.#next.length > 0) return;
    const { redis, key, oldestMs } = this;
    const count = this.#chunk;
    const found = await redisReply(redis.xrevrange(key, this.#before, oldestMs, 'COUNT', count));
    this.#next = found.map(([id, fields]) => this.#read(id, fields));
    this.#isAtEnd = found.length < count;
    this.#before = `(${found.at(-1)?.[0] ?? '0-1'}`;
    this.#chunk = Math.min(LARGEST_CHUNK, 2 * count);
  }

  #read(id: string, [, text = '']: readonly string[]): LoggedAttempt {
    const [ms = 0, count = 0] = id.split('-').map(Number);
    const place = { ms, count, partition: this.partition };
    return { ...decodeAttempt(text), place, recordedAt: new Date(ms).toISOString() };
  }
}
