import type { InFlight } from '#checkpoint-backup';
import type { Instant } from '#domain/event';

/** A delivery of one message to one endpoint. */
export interface Delivery extends InFlight {
  readonly messageId: string;
}

/** A delivery in its queue. */
export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** Since when it is here, by the monotonic clock. */
  readonly addedAtMs: number;
  /** Attempts that were made and failed. */
  attempts: number;
  /** When the first attempt failed, by the wall clock; undefined where none has. */
  firstFailedAtMs: number | undefined;
  /** When its next attempt is due, by the wall clock; undefined where nothing but a place is waited for. */
  dueAtMs: number | undefined;
  /** It lets later ones of its subject pass (rules/webhooks 5). */
  isAside: boolean;
  /** When its endpoint had been enabled, as its last attempt was made; undefined where that is not known. */
  enabledAt?: Instant | undefined;
  /** Whether it has a place or waits for one, or what became of its attempt is not noted yet. */
  isOffered: boolean;
  /** How often it went back in a row, since our own side failed. */
  givenBack: number;
  /** Whether its attempt has ended, and what became of it is not noted yet. */
  isEnding: boolean;
}

/** What an attempt that failed before left of a delivery. */
export type EarlierAttempts = Pick<
  QueuedDelivery,
  'attempts' | 'firstFailedAtMs' | 'dueAtMs' | 'isAside' | 'enabledAt'
>;

const NONE: EarlierAttempts = {
  ...{ attempts: 0, firstFailedAtMs: undefined },
  ...{ dueAtMs: undefined, isAside: false },
};

/**
 * The deliveries to one endpoint that are in flight, in memory: those of one subject go one after the other, in
 * the store's order, and subjects beside each other. One that waits for its next attempt holds back later ones
 * of its subject until it steps aside. What is sent again of a subject has an order of its own, beside the other.
 */
export class EndpointQueue {
  /** How many of it have a place or wait for one. */
  offered = 0;
  /** How many attempts have ended whose outcome is not noted yet. */
  ending = 0;
  readonly #items = new Map<string, QueuedDelivery>();
  /** By `orderKey`, what is not aside, the oldest first. */
  readonly #subjects = new Map<string, QueuedDelivery[]>();
  /** How many let later ones of their subjects pass. */
  #aside = 0;
  /** What may go as soon as it gets a place, in the order in which it was ready. */
  #ready = new Set<QueuedDelivery>();
  /** What was given back, the oldest first: it goes before what is newer of the others. */
  #givenBack: QueuedDelivery[] = [];
  #isHeld = false;
  /** When its endpoint was enabled, as was heard last; undefined before. */
  #enabledAt: Instant | undefined;

  constructor(
    readonly endpointId: string,
    readonly appId: string,
  ) {}

  /** Its endpoint is disabled: nothing of it goes. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  get size(): number {
    return this.#items.size;
  }

  /** How many of these let later ones of their subjects pass. */
  get aside(): number {
    return this.#aside;
  }

  /** Of those in it: they are nearly always added in the store's order. */
  get oldest(): QueuedDelivery | undefined {
    const [oldest] = this.#items.values();
    return oldest;
  }

  /** How many may go as soon as they get a place. */
  get ready(): number {
    return this.#ready.size + this.#givenBack.length;
  }

  /** Whether there is one that may go as soon as it gets a place. */
  get hasNext(): boolean {
    return this.ready > 0 && !this.#isHeld;
  }

  find(member: string): QueuedDelivery | undefined {
    return this.#items.get(member);
  }

  /** Takes a delivery in. One that is here stays as it is. */
  add(delivery: Delivery, earlier: EarlierAttempts = NONE): void {
    if (this.#items.has(delivery.member)) return;
    const addedAtMs = performance.now();
    const states = { isOffered: false, givenBack: 0, isEnding: false };
    const item: QueuedDelivery = { delivery, addedAtMs, ...earlier, ...states };
    this.#items.set(delivery.member, item);
    if (item.isAside) this.#aside += 1;
    else this.#enqueue(item);
    this.#considerAll(item);
  }

  /** The next one that may go. It has to be given back by `remove`, `postpone` or `release`. */
  offer(): QueuedDelivery | undefined {
    const [ready] = this.#ready;
    const [givenBack] = this.#givenBack;
    const item = givenBack === undefined || isBehind(givenBack, ready) ? ready : givenBack;
    if (item === undefined || this.#isHeld) return undefined;
    this.#unready(item);
    item.isOffered = true;
    this.offered += 1;
    return item;
  }

  /** Its attempt has ended. It does not go again before what became of it is noted, and it is given back. */
  endAttempt(item: QueuedDelivery): void {
    this.offered -= 1;
    this.ending += 1;
    item.isEnding = true;
  }

  /** It goes back as it was, and may go again at once: before what is newer. */
  release(item: QueuedDelivery): void {
    this.#takeBack(item);
    this.#consider(item);
    if (this.#ready.delete(item)) insert(this.#givenBack, item);
  }

  /** It failed: its next attempt is due later, and its subject waits for it unless it is aside. */
  postpone(item: QueuedDelivery, earlier: EarlierAttempts): void {
    this.#takeBack(item);
    const wasAside = item.isAside;
    // By name: what is given may be a delivery itself, as it was while its attempt was under way.
    const { attempts, firstFailedAtMs, dueAtMs, enabledAt } = earlier;
    // Once aside it stays so: later ones of its subject may have passed it.
    const isAside = wasAside || earlier.isAside;
    Object.assign(item, { attempts, firstFailedAtMs, dueAtMs, enabledAt, isAside, givenBack: 0 });
    // It was enabled while the attempt was under way.
    if (this.#enabledAt !== undefined && isOfBefore(item, this.#enabledAt)) this.wake(item);
    if (!item.isAside || wasAside) return;
    this.#aside += 1;
    this.#dequeue(item);
  }

  /** It has failed for long enough: later ones of its subject pass it, also while it is tried. */
  stepAside(item: QueuedDelivery): void {
    if (item.isAside) return;
    item.isAside = true;
    this.#aside += 1;
    this.#dequeue(item);
    this.#consider(item);
  }

  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Its endpoint is enabled. What failed before it was does not wait for its time any more, and all goes oldest first;
   * what waits for another release still does.
   *
   * @param enabledAt when; undefined where the endpoint is gone. @returns whether there is anything that waited for it.
   */
  letGo(enabledAt: Instant | undefined): boolean {
    this.#enabledAt = enabledAt;
    const waiting = [...this.overdue(Infinity)].filter((item) => isOfBefore(item, enabledAt));
    const isNew = this.#isHeld || waiting.length > 0;
    this.#isHeld = false;
    if (!isNew) return false;
    for (const item of waiting) this.wake(item);
    const ready = [...this.#ready, ...this.#givenBack];
    this.#ready = new Set(ready.sort((one, other) => (isBehind(one, other) ? 1 : -1)));
    this.#givenBack = [];
    return true;
  }

  /** It may go now, whenever it was due. */
  wake(item: QueuedDelivery): void {
    item.dueAtMs = undefined;
    this.#consider(item);
  }

  /** It has ended. */
  remove(item: QueuedDelivery): void {
    this.#takeBack(item);
    if (this.#items.delete(item.delivery.member) && item.isAside) this.#aside -= 1;
    this.#unready(item);
    this.#dequeue(item);
  }

  /** Those that have failed since a moment or longer, and still hold their subjects back. */
  *failedSince(atMs: number): Generator<QueuedDelivery> {
    for (const item of this.#items.values()) {
      if (!item.isAside && (item.firstFailedAtMs ?? Infinity) <= atMs) yield item;
    }
  }

  /** Those whose time came before a moment. */
  *overdue(atMs: number): Generator<QueuedDelivery> {
    for (const item of this.#items.values()) {
      if (item.dueAtMs !== undefined && item.dueAtMs < atMs) yield item;
    }
  }

  #unready(item: QueuedDelivery): void {
    if (this.#ready.delete(item)) return;
    const at = this.#givenBack.indexOf(item);
    if (at !== -1) this.#givenBack.splice(at, 1);
  }

  #takeBack(item: QueuedDelivery): void {
    if (item.isEnding) this.ending -= 1;
    else if (item.isOffered) this.offered -= 1;
    item.isOffered = false;
    item.isEnding = false;
  }

  /** Members begin with their positions, and are nearly always added in the store's order. */
  #enqueue(item: QueuedDelivery): void {
    const key = orderKey(item);
    const waiting = this.#subjects.get(key);
    if (waiting === undefined) {
      this.#subjects.set(key, [item]);
      return;
    }
    const overtaken = waiting[0];
    insert(waiting, item);
    // What was first and did not begin yet waits behind the one that is older.
    if (waiting[0] === item && overtaken !== undefined) this.#unready(overtaken);
  }

  #dequeue(item: QueuedDelivery): void {
    const key = orderKey(item);
    const waiting = this.#subjects.get(key);
    const at = waiting?.indexOf(item) ?? -1;
    if (waiting === undefined || at === -1) return;
    waiting.splice(at, 1);
    const [first] = waiting;
    if (first === undefined) this.#subjects.delete(key);
    else this.#consider(first);
  }

  #considerAll(item: QueuedDelivery): void {
    const [first] = this.#subjects.get(orderKey(item)) ?? [];
    this.#consider(item.isAside ? item : (first ?? item));
  }

  #consider(item: QueuedDelivery): void {
    const isFirst = this.#subjects.get(orderKey(item))?.[0] === item;
    if (!isFirst && !item.isAside) return;
    if (item.dueAtMs !== undefined || item.isOffered || this.#givenBack.includes(item)) return;
    this.#ready.add(item);
  }
}

/** Whether it waits for its time since before its endpoint was enabled; what waits for another release does not. */
function isOfBefore(item: QueuedDelivery, enabledAt: Instant | undefined): boolean {
  if ((item.dueAtMs ?? Infinity) === Infinity) return false;
  return item.enabledAt !== undefined && item.enabledAt !== enabledAt;
}

/** What goes one after the other: the stream is the subject of the message. */
function orderKey({ delivery: { streamName, askedAtRevision } }: QueuedDelivery): string {
  return askedAtRevision === undefined ? streamName : `again ${streamName}`;
}

/** Into its place among others that stand in order: nearly always near their end. */
function insert(sorted: QueuedDelivery[], item: QueuedDelivery): void {
  let at = sorted.length;
  while (at > 0 && isBehind(sorted[at - 1], item)) at -= 1;
  sorted.splice(at, 0, item);
}

/** Of what one event asks for again, the older message goes first: its revision is a number, and no text. */
function isBehind(left: QueuedDelivery | undefined, right: QueuedDelivery | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [left.delivery, right.delivery];
  if (one.position !== other.position) return one.position > other.position;
  if (one.revision !== other.revision) return one.revision > other.revision;
  return one.member > other.member;
}
