import { Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import type { FailedAttempts } from '../../jobs/retry-queue.js';
import { HOLD_BACK_MS } from '../../limits.js';
import type { Delivery } from '../send/outgoing-messages.js';
import { insert, isBehind, orderKey, type QueuedDelivery } from './queued-delivery.js';

const NONE = { attempts: 0, firstFailedAtMs: undefined };

/**
 * The deliveries to one endpoint that are in flight, in memory: those of one subject go one after the other, in the
 * store's order, and subjects beside each other. One that waits for its next attempt holds back later ones of its
 * subject until it is deferred. Resends of a subject have an order of their own, beside the other.
 */
export class EndpointQueue {
  /** How many of them have a concurrency slot or wait for one, until their outcomes are noted. */
  offered = 0;
  /** How many of these are attempts of jobs of BullMQ. */
  retrying = 0;
  readonly #items = new Map<string, QueuedDelivery>();
  /** By `orderKey`, deliveries that are not deferred, the oldest first. */
  readonly #subjects = new Map<string, QueuedDelivery[]>();
  /** How many let later ones of their subjects pass. */
  #deferred = 0;
  /** Deliveries that may go as soon as they get a slot, the oldest first. */
  readonly #ready: QueuedDelivery[] = [];
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
  get deferred(): number {
    return this.#deferred;
  }

  /** Of those in it: they are nearly always added in the store's order. */
  get oldest(): QueuedDelivery | undefined {
    const [oldest] = this.#items.values();
    return oldest;
  }

  /** How many may go as soon as they gets a slot. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Whether there is one that may go as soon as it gets a slot. */
  get hasNext(): boolean {
    return this.ready > 0 && !this.#isHeld;
  }

  find(member: string): QueuedDelivery | undefined {
    return this.#items.get(member);
  }

  /** Takes a delivery in. One that is here stays as it is. */
  add(delivery: Delivery, failed?: FailedAttempts): void {
    if (this.#items.has(delivery.member)) return;
    const waitsFor = failed && 'retry';
    const states = { waitsFor, isDeferred: false, isOffered: false, requeued: 0 } as const;
    const item: QueuedDelivery = { delivery, ...(failed ?? NONE), ...states };
    this.#items.set(delivery.member, item);
    this.#enqueue(item);
    const [first] = this.#subjects.get(orderKey(item)) ?? [];
    if (first !== undefined) this.#consider(first);
  }

  /** The next one that may go. It has to be given back by `remove`, `postpone` or `release`. */
  offer(): QueuedDelivery | undefined {
    const item = this.#isHeld ? undefined : this.#ready.shift();
    if (item === undefined) return undefined;
    item.isOffered = true;
    this.offered += 1;
    return item;
  }

  /** Its job of BullMQ makes an attempt, after so many that failed. It has to be requeued as an offered one. */
  begin(item: QueuedDelivery, attempts: number): void {
    this.#unready(item);
    Object.assign(item, { attempts, waitsFor: undefined, isOffered: true });
    this.offered += 1;
    this.retrying += 1;
  }

  /** It goes back as before: to its job of BullMQ, or else at once, before newer ones. */
  release(item: QueuedDelivery): void {
    this.#takeBack(item);
    this.wake(item);
  }

  /** It failed: its job of BullMQ makes the next attempt, and its subject waits for it unless it is deferred. */
  postpone(item: QueuedDelivery, failed: FailedAttempts): void {
    this.#takeBack(item);
    Object.assign(item, { ...failed, waitsFor: 'retry', requeued: 0 });
  }

  /** It waits with its stream, for another release. */
  park(item: QueuedDelivery): void {
    this.#takeBack(item);
    item.waitsFor = 'stream';
  }

  /** Later ones of their subjects pass those that have failed since a moment or longer, also while these are tried. */
  deferFailedSince(atMs: number): void {
    for (const item of this.#items.values()) {
      if (item.isDeferred || (item.firstFailedAtMs ?? Infinity) > atMs) continue;
      // It stays so: later ones may have passed it.
      item.isDeferred = true;
      this.#deferred += 1;
      this.#dequeue(item);
      this.#consider(item);
    }
  }

  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Its endpoint is enabled: all that is in memory goes, oldest first.
   *
   * @param enabledAt when; undefined where the endpoint is gone. @returns whether it was held.
   */
  letGo(enabledAt: Instant | undefined): boolean {
    this.#enabledAt = enabledAt;
    if (!this.#isHeld) return false;
    this.#isHeld = false;
    return true;
  }

  /** Those that wait for a retry since before their endpoint was enabled, oldest first. */
  failedBefore(enabledAt: Instant | undefined): QueuedDelivery[] {
    const waiting = [...this.#items.values()].filter((item) => item.waitsFor === 'retry');
    const older = waiting.filter((item) => isOfBefore(item.enabledAt, enabledAt));
    return older.sort((one, other) => (isBehind(one, other) ? 1 : -1));
  }

  /** Whether an attempt was begun before its endpoint was enabled, as was heard last. */
  isOfBefore(enabledAt: Instant | undefined): boolean {
    return this.#enabledAt !== undefined && isOfBefore(enabledAt, this.#enabledAt);
  }

  /** Its wait is over: its job of BullMQ makes the next attempt, or else it goes as soon as it can. */
  wake(item: QueuedDelivery): void {
    item.waitsFor = item.attempts > 0 ? 'retry' : undefined;
    this.#consider(item);
  }

  /** Its job of BullMQ is lost, and its count of attempts with it: it begins with the first one. */
  beginAnew(item: QueuedDelivery): void {
    Object.assign(item, { attempts: 0, firstFailedAtMs: undefined });
    this.wake(item);
  }

  /** It has ended. */
  remove(item: QueuedDelivery): void {
    this.#takeBack(item);
    if (this.#items.delete(item.delivery.member) && item.isDeferred) this.#deferred -= 1;
    this.#unready(item);
    this.#dequeue(item);
  }

  #unready(item: QueuedDelivery): void {
    const at = this.#ready.indexOf(item);
    if (at !== -1) this.#ready.splice(at, 1);
  }

  #takeBack(item: QueuedDelivery): void {
    if (!item.isOffered) return;
    item.isOffered = false;
    this.offered -= 1;
    if (item.attempts > 0) this.retrying -= 1;
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
    // A first one that did not begin yet waits behind the one that is older.
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

  #consider(item: QueuedDelivery): void {
    const isFirst = this.#subjects.get(orderKey(item))?.[0] === item;
    if (!isFirst && !item.isDeferred) return;
    if (item.waitsFor !== undefined || item.isOffered || this.#ready.includes(item)) return;
    insert(this.#ready, item);
  }
}

/** Whether an attempt was made before its endpoint was enabled. An unknown time is not taken for that. */
function isOfBefore(attempted: Instant | undefined, enabledAt: Instant | undefined): boolean {
  return attempted !== undefined && attempted !== enabledAt;
}

/** The queues of all endpoints that deliveries of the partition are in flight to, by the endpoints' ids. */
@Injectable()
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();

  get all(): Iterable<EndpointQueue> {
    return this.#queues.values();
  }

  /** Defers deliveries that have failed for an hour at this moment: later ones pass them (rules/webhooks 5). */
  deferFailed(nowMs: number): void {
    for (const queue of this.all) queue.deferFailedSince(nowMs - HOLD_BACK_MS);
  }

  find(endpointId: string): EndpointQueue | undefined {
    return this.#queues.get(endpointId);
  }

  /** The queue of an endpoint; a new one where nothing is in flight to it. */
  require(endpointId: string, appId: string): EndpointQueue {
    const known = this.#queues.get(endpointId);
    if (known !== undefined) return known;
    const queue = new EndpointQueue(endpointId, appId);
    this.#queues.set(endpointId, queue);
    return queue;
  }

  /** Queues with nothing in them are not kept: there may be 10,000 apps. */
  dropEmpty(queue: EndpointQueue): void {
    const { endpointId, size } = queue;
    // Another one may have taken its place since it was dropped.
    if (size === 0 && this.#queues.get(endpointId) === queue) this.#queues.delete(endpointId);
  }
}
