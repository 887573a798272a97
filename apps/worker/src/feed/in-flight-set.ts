import { Inject, Injectable } from '@nestjs/common';
import { type Lease, runFenced } from '#projection-engine';
import { loadScript, type Redis, redisReply, type Script } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, LEASE, REDIS } from '../tokens.js';
import { type InFlight, parseInFlight } from './in-flight.js';

const addInFlight = loadScript(new URL('./lua/add-in-flight-2.lua', import.meta.url));
const removeInFlight = loadScript(new URL('./lua/remove-in-flight-2.lua', import.meta.url));

/** Members asked of Redis at a time. */
const SCAN_COUNT = 1_000;

/** The work in flight: a sorted set in the store's order. Calls throw Fault when Redis is out of reach. */
@Injectable()
export class InFlightSet {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  /** @param members as `inFlightMember` writes them. @throws Fenced as `remove` does. */
  async add(members: readonly string[]): Promise<void> {
    if (members.length > 0) await this.#change(addInFlight, members);
  }

  /** @throws Fenced when the partition has gone to another process. */
  async remove(member: string): Promise<void> {
    await this.#change(removeInFlight, [member]);
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

  async #change(script: Script, members: readonly string[]): Promise<void> {
    const keys = [this.keys.inFlight];
    await runFenced(this.redis, this.lease.fence, script, { keys, args: members });
  }
}
