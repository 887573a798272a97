import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Redis, redisReply } from '#redis';
import { type Log, warnSeldom } from '#platform';

/** A further look at an item within this time is not sent (rules/webshop 7). */
const SENT_ONCE_IN_SECONDS = 100;
const KEY_DIGITS = 32;

/** The part of Redis that is used. */
type Asked = Pick<Redis, 'set'>;

/**
 * The latest views of players, over all processes (rules/webshop 7). The first request that sets the key in Redis sends
 * the view: where Redis was emptied, one view more is sent. Where Redis is out of reach, none is sent: views are
 * statistics, and too few of them do no harm.
 */
@Injectable()
export class ViewedItems {
  constructor(
    private readonly redis: Asked,
    /** The ledger's own part of Redis. */
    private readonly prefix: string,
    private readonly log: Log,
  ) {}

  /** Those of these items whose view is to be sent: never the same one twice within the time. Never throws. */
  async claim(player: string, itemIds: readonly string[]): Promise<string[]> {
    const claims = [...new Set(itemIds)].map(async (itemId) =>
      (await this.#claimOne(player, itemId)) ? [itemId] : [],
    );
    return (await Promise.all(claims)).flat();
  }

  async #claimOne(player: string, itemId: string): Promise<boolean> {
    const key = `${this.prefix}viewed:${player}:${digest(itemId)}`;
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
