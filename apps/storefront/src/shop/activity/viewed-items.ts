import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Redis, redisReply } from '#redis';
import { type Log, warnSeldom, upTo } from '#platform';

/** A further look at an item within this time is not sent (rules/webshop 7). */
const SENT_ONCE_IN_SECONDS = 100;
/** Looks of 100 s that a process remembers by itself: some 100 bytes each. */
const REMEMBERED = 50_000;
const KEY_DIGITS = 32;

/** The part of Redis that is used. */
type Asked = Pick<Redis, 'set'>;

/**
 * The latest views of players, over all processes (rules/webshop 7). The first process that sets the key in Redis sends
 * the view. Each process also remembers its views: where Redis was emptied, one view more is sent at most. Where Redis
 * is out of reach, none is sent: views are statistics, and too few of them do no harm.
 */
@Injectable()
export class ViewedItems {
  readonly #sent: LRUCache<string, true>;

  constructor(
    private readonly redis: Asked,
    /** The ledger's own part of Redis. */
    private readonly prefix: string,
    private readonly log: Log,
    sentOnceInMs = SENT_ONCE_IN_SECONDS * 1000,
  ) {
    this.#sent = new LRUCache({ ...upTo(REMEMBERED), ttl: sentOnceInMs });
  }

  /** Those of these items whose view is to be sent: never the same one twice within the time. Never throws. */
  async claim(player: string, itemIds: readonly string[]): Promise<string[]> {
    const claims = [...new Set(itemIds)].map(async (itemId) =>
      (await this.#claimOne(player, itemId)) ? [itemId] : [],
    );
    return (await Promise.all(claims)).flat();
  }

  async #claimOne(player: string, itemId: string): Promise<boolean> {
    const key = `${this.prefix}viewed:${player}:${digest(itemId)}`;
    if (this.#sent.has(key)) return false;
    // Of two requests at once, the second one sends nothing.
    this.#sent.set(key, true);
    try {
      const answer = this.redis.set(key, '1', 'EX', SENT_ONCE_IN_SECONDS, 'NX');
      return (await redisReply(answer)) === 'OK';
    } catch (error) {
      warnSeldom(this.log, error, 'views of items are not sent while Redis is away');
      return false;
    }
  }
}

/** An item's id is a studio's text of any length. */
function digest(itemId: string): string {
  return createHash('sha256').update(itemId).digest('hex').slice(0, KEY_DIGITS);
}
