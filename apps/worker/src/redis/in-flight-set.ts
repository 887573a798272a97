import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { loadScript, type Redis, redisReply } from '#redis';
import type { ExhaustedDelivery, WorkerKeys } from '#worker-state';
import { ENDED_KEPT, READ_PAGE, WRITTEN_AT_ONCE } from '../limits.js';
import { KEYS, REDIS } from '../tokens.js';
import { PartitionScripts } from './partition-scripts.js';

const beginWork = loadScript(new URL('./lua/begin-work-5.lua', import.meta.url));
const endWork = loadScript(new URL('./lua/end-work-6.lua', import.meta.url));
const lookLater = loadScript(new URL('./lua/look-later-4.lua', import.meta.url));
const readInFlightPage = loadScript(new URL('./lua/read-in-flight-2.lua', import.meta.url));

/** Later than every time. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

interface Ended {
  readonly member: string;
  readonly givenUp?: ExhaustedDelivery | undefined;
}

/** Something in flight, as `inFlightMember` writes it. */
export interface Member {
  readonly member: string;
  /** When a charge or refund is to be looked at, by the wall clock; null for a delivery. */
  readonly dueAtMs: number | null;
}

/**
 * The work in flight of the partition. It is exact: ended work is not begun again, and work without a job is found when
 * it is due. Calls throw Fault when Redis is out of reach, and Fenced where this process may not act.
 */
@Injectable()
export class InFlightSet {
  #lastEnd: Promise<unknown> = Promise.resolve();
  readonly #ends = new DataLoader<Ended, boolean>((ended) => this.#endAll(ended), {
    cache: false,
    maxBatchSize: WRITTEN_AT_ONCE,
    // Ends that come while an act is under way wait for it, and go out together.
    batchScheduleFn: (dispatch) => void this.#lastEnd.then(dispatch, dispatch),
  });

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    private readonly scripts: PartitionScripts,
  ) {}

  /** @returns those that are in flight now: the others have ended. */
  async begin(members: readonly Member[]): Promise<string[]> {
    const begun: string[] = [];
    for (let at = 0; at < members.length; at += WRITTEN_AT_ONCE) {
      const page = members.slice(at, at + WRITTEN_AT_ONCE);
      const args = page.flatMap(({ member, dueAtMs }) => [member, dueAtMs ?? '']);
      const reply = await this.scripts.runForFeed(beginWork, this.#markedKeys, ['', ...args]);
      // The script's header describes its answer.
      begun.push(...(reply as string[]));
    }
    return begun;
  }

  /** Begins work without an outcome in the store, also where a mark says that it has ended. */
  async beginAgain({ member, dueAtMs }: Member): Promise<void> {
    const args = ['again', member, dueAtMs ?? ''];
    await this.scripts.runForFeed(beginWork, this.#markedKeys, args);
  }

  async has(member: string): Promise<boolean> {
    return (await redisReply(this.redis.zscore(this.keys.inFlight, member))) !== null;
  }

  /**
   * The work is done, or was given up: that is known from then on, also to a Redis that was emptied. Ends of one moment
   * are one act.
   */
  async end(member: string, givenUp?: ExhaustedDelivery): Promise<void> {
    await this.#ends.load({ member, givenUp });
  }

  async #endAll(ended: readonly Ended[]): Promise<boolean[]> {
    const act = this.scripts.runForJob(endWork, this.#endKeys, argsToEnd(ended));
    this.#lastEnd = act;
    await act;
    return ended.map(() => true);
  }

  /** They had ended before Redis was lost: the backup does not name them any more. */
  async endLost(members: readonly string[]): Promise<void> {
    for (let at = 0; at < members.length; at += WRITTEN_AT_ONCE) {
      const page = members.slice(at, at + WRITTEN_AT_ONCE).map((member) => ({ member }));
      await this.scripts.runForFeed(endWork, this.#endKeys, argsToEnd(page));
    }
  }

  /** The gateway is to be asked again: a date that survives the loss of Redis. */
  async askAgain(member: string, atMs: number): Promise<void> {
    await this.scripts.runForJob(lookLater, this.#lookKeys, [atMs, NEVER_MS, member]);
  }

  /**
   * The next look at whether their jobs are still there, unless its job has named a later time for one since.
   *
   * @param members a page of them.
   */
  async lookAgain(members: readonly string[], nowMs: number, atMs: number): Promise<void> {
    await this.scripts.runForJob(lookLater, this.#lookKeys, [atMs, nowMs, ...members]);
  }

  /** The charges and refunds that are to be looked at by now, the longest overdue first. */
  async listDue(nowMs: number, limit: number): Promise<string[]> {
    const { dueAtGateway } = this.keys;
    return redisReply(this.redis.zrangebyscore(dueAtGateway, '-inf', nowMs, 'LIMIT', 0, limit));
  }

  /** How many of them were to be looked at by then. */
  async countDue(byMs: number): Promise<number> {
    return redisReply(this.redis.zcount(this.keys.dueAtGateway, '-inf', byMs));
  }

  /** All work in flight, in the store's order; work that comes and goes meanwhile may be among it or not. */
  async *pages(): AsyncGenerator<Member[]> {
    const keys = [this.keys.inFlight, this.keys.dueAtGateway];
    for (let from = '-'; ;) {
      // The script's header describes its answer: members and times take turns.
      const reply = await readInFlightPage(this.redis, keys, [from, READ_PAGE]);
      const texts = reply as string[];
      const page: Member[] = [];
      for (let at = 0; at < texts.length; at += 2) {
        const due = texts[at + 1] ?? '';
        page.push({ member: texts[at] ?? '', dueAtMs: due === '' ? null : Number(due) });
      }
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      from = `(${last.member}`;
    }
  }

  get #markedKeys(): string[] {
    const { inFlight, dueAtGateway, ended } = this.keys;
    return [inFlight, dueAtGateway, ended];
  }

  get #endKeys(): string[] {
    return [...this.#markedKeys, this.keys.exhausted];
  }

  get #lookKeys(): string[] {
    const { inFlight, dueAtGateway } = this.keys;
    return [inFlight, dueAtGateway];
  }
}

function argsToEnd(ended: readonly Ended[]): (string | number)[] {
  const each = ended.flatMap(({ member, givenUp }) => [
    ...[member, givenUp === undefined ? '' : JSON.stringify(givenUp)],
  ]);
  return [ENDED_KEPT, ...each];
}
