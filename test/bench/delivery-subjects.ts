import { addMilliseconds, fromMilliseconds } from '#domain/calendar';
import type { SubscriptionEvent } from '#domain/subscription';
import type { EventToAppend, LedgerStore } from '#event-store';
import { forEachConcurrently, wallClock } from '#platform';
import type { WrittenLedger, WrittenPlayer } from '../support/written-ledger.js';
import { toStored, writeHistory } from './histories.js';

const DAY_MS = 86_400_000;
const WRITTEN_AT_ONCE = 64;
/** A studio's own id of a player, so long that a body has 1 kB. */
const ACCOUNT_ID = 'player-'.padEnd(600, 'x');

/** A subscription in the store, and how far it is. */
interface Subject extends WrittenPlayer {
  readonly id: string;
  revision: number;
  sequence: number;
  isCanceled: boolean;
}

/** One event to append, and the name of its message. */
export interface NextEvent {
  readonly streamName: string;
  readonly expected: number;
  readonly event: EventToAppend;
  /** The subject and the number in it. */
  readonly message: string;
}

/**
 * Subscriptions of one app whose payments were made before its endpoints were there, so that none of it is sent.
 * From then on each is canceled and taken back in turns: one message an event.
 */
export class DeliverySubjects {
  readonly #subjects: Subject[] = [];
  #next = 0;

  private constructor(
    private readonly store: LedgerStore,
    private readonly appId: string,
  ) {}

  /** Writes so many subscriptions with so many payments each. */
  static async write(
    store: LedgerStore,
    ledger: WrittenLedger,
    appId: string,
    { count, payments }: { readonly count: number; readonly payments: number },
  ): Promise<DeliverySubjects> {
    const subjects = new DeliverySubjects(store, appId);
    const numbers = Array.from({ length: count }, (_, n) => n);
    await forEachConcurrently(numbers, WRITTEN_AT_ONCE, async () => {
      const player = await ledger.registerPlayer(appId, ACCOUNT_ID);
      subjects.#subjects.push(await subjects.#writeHistory(player, payments));
    });
    return subjects;
  }

  /** The next events, to one subject after the other. */
  next(): NextEvent {
    const subject = this.#subjects[this.#next % this.#subjects.length];
    if (subject === undefined) throw new Error('there is no subject');
    this.#next += 1;
    const { id, player } = subject;
    const now = wallClock.now();
    const event: SubscriptionEvent = !subject.isCanceled
      ? {
          type: 'subscription.canceled.v1',
          data: { canceledAt: now, accessEndsAt: addMilliseconds(now, DAY_MS) },
        }
      : { type: 'subscription.reactivated.v1', data: { reactivatedAt: now } };
    const expected = subject.revision;
    subject.revision += 1;
    subject.sequence += 1;
    subject.isCanceled = !subject.isCanceled;
    return {
      ...{ streamName: `subscription-${id}`, expected },
      event: toStored(event, { player, ...this.#app }, 'app', now),
      message: `${id} ${subject.sequence}`,
    };
  }

  /** Appends so many events, as fast as the store takes them. @returns their messages. */
  async appendAll(count: number): Promise<string[]> {
    const messages: string[] = [];
    const size = this.#subjects.length;
    // Two events of a subject are not appended at once.
    for (let done = 0; done < count; done += size) {
      const events = Array.from({ length: Math.min(size, count - done) }, () => this.next());
      messages.push(...events.map(({ message }) => message));
      await forEachConcurrently(events, WRITTEN_AT_ONCE, (next) => this.append(next));
    }
    return messages;
  }

  async append({ streamName, expected, event }: NextEvent): Promise<void> {
    await this.store.append(streamName, expected, [event]);
  }

  /** The first period is free: it needs no checkout, which a worker would look for. */
  async #writeHistory(by: WrittenPlayer, payments: number): Promise<Subject> {
    const begun = fromMilliseconds(Date.now() - (payments * 31 + 15) * DAY_MS);
    const purchase = { ...by, ...this.#app, begun, firstPaid: 2, payments } as const;
    const id = await writeHistory(this.store, purchase);
    // The event that created it, and two for each renewal.
    return { ...by, id, revision: payments * 2, sequence: 1 + payments * 2, isCanceled: false };
  }

  get #app() {
    return { appId: this.appId, environment: 'test' } as const;
  }
}
