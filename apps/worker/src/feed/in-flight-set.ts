import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { redisReply } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, REDIS } from '../tokens.js';
import { type InFlight, parseInFlight } from './in-flight.js';

/** Members asked of Redis at a time. */
const SCAN_COUNT = 1_000;

/** The work in flight: a sorted set in the store's order. Calls throw Fault when Redis is out of reach. */
@Injectable()
export class InFlightSet {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
  ) {}

  /** @param members as `inFlightMember` writes them. */
  async add(members: readonly string[]): Promise<void> {
    if (members.length === 0) return;
    const withScores = members.flatMap((member) => [0, member]);
    await redisReply(this.redis.zadd(this.keys.inFlight, ...withScores));
  }

  async remove(member: string): Promise<void> {
    await redisReply(this.redis.zrem(this.keys.inFlight, member));
  }

  /** What is in flight for a target; in no order, and one may come twice. */
  async *scan(target: string): AsyncGenerator<InFlight> {
    let cursor = '0';
    do {
      const pattern = `* ${target} *`;
      const scan = this.redis.zscan(
        this.keys.inFlight,
        cursor,
        'MATCH',
        pattern,
        'COUNT',
        SCAN_COUNT,
      );
      const [next, found] = await redisReply(scan);
      cursor = next;
      // Members and scores take turns.
      yield* found.filter((_, index) => index % 2 === 0).map(parseInFlight);
    } while (cursor !== '0');
  }
}
