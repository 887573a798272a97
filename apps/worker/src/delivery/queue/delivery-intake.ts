import { Inject, Injectable } from '@nestjs/common';
import { type InFlight, PROCESS, readInFlight } from '#worker-state';
import type { Clock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { InFlightSet } from '../../redis/in-flight-set.js';
import { APPS, CLOCK } from '../../tokens.js';
import { DeliveryRunner } from './delivery-runner.js';
import type { Delivery } from '../send/outgoing-messages.js';
import { type EndpointQueue, EndpointQueues } from './endpoint-queue.js';
import { type FailedAttempts, RetryQueue } from '../../jobs/retry-queue.js';

/** How deliveries come into memory: new ones, and those that are in flight in Redis already. */
@Injectable()
export class DeliveryIntake {
  #isFirst = true;

  constructor(
    private readonly queues: EndpointQueues,
    private readonly runner: DeliveryRunner,
    private readonly inFlight: InFlightSet,
    private readonly retries: RetryQueue,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Deliveries are in flight from now on, but for those that had ended.
   *
   * @throws Fault of Redis; Fenced.
   */
  async begin(all: readonly (readonly [Delivery, appId: string])[]): Promise<void> {
    if (all.length === 0) return;
    const members = all.map(([{ member }]) => ({ member, dueAtMs: null }));
    const begun = new Set(await this.inFlight.begin(members));
    const touched = new Set<EndpointQueue>();
    for (const [delivery, appId] of all) {
      if (!begun.has(delivery.member)) continue;
      const queue = this.queues.require(delivery.target, appId);
      queue.add(delivery);
      touched.add(queue);
    }
    this.runner.offer(touched);
  }

  /**
   * Takes up all deliveries in flight that this process does not know: those that another one left, and those that a
   * loss of Redis let begin again.
   *
   * @throws Fault of the store or of Redis; Fenced.
   */
  async takeUp(): Promise<void> {
    const failed = await this.retries.readAll();
    for await (const page of this.inFlight.pages()) {
      const found = page.flatMap(({ member }) => readInFlight(member) ?? []);
      const lost: string[] = [];
      for (const delivery of found.filter(isDelivery)) {
        const isTaken = await this.#takeUpOne(delivery, failed.get(delivery.member));
        if (!isTaken) lost.push(delivery.member);
      }
      await this.inFlight.endLost(lost);
    }
    this.queues.deferFailed(Date.parse(this.clock.now()));
    this.#isFirst = false;
    this.runner.offer(this.queues.all);
  }

  /** It had ended before Redis lost that. @throws Fault of Redis; Fenced. */
  async endLost(endpointId: string, member: string): Promise<void> {
    await this.inFlight.endLost([member]);
    const queue = this.queues.find(endpointId);
    const item = queue?.find(member);
    // An attempt under way finds out by itself that it has ended.
    if (item !== undefined && !item.isOffered) queue?.remove(item);
  }

  /** Messages that this release could not make, and can now, go on. @throws Fault of Redis. */
  async goOn(all: readonly InFlight[]): Promise<void> {
    const touched: EndpointQueue[] = [];
    const failed: string[] = [];
    for (const { target, member } of all) {
      const queue = this.queues.find(target);
      const item = queue?.find(member);
      if (queue === undefined || item?.waitsFor !== 'stream') continue;
      queue.wake(item);
      touched.push(queue);
      if (item.attempts > 0) failed.push(member);
    }
    this.runner.offer(touched);
    await this.retries.promote(failed);
  }

  /** @returns false where its endpoint is gone. */
  async #takeUpOne(delivery: Delivery, failed: FailedAttempts | undefined): Promise<boolean> {
    const { target, member } = delivery;
    const queue = this.queues.find(target);
    const known = queue?.find(member);
    if (queue !== undefined && known !== undefined) {
      const hasJob = known.waitsFor !== 'retry' || failed !== undefined;
      if (!hasJob && !(await this.retries.has(member))) queue.beginAnew(known);
      return true;
    }
    const endpoint = await this.apps.findEndpoint(target);
    // While a process works, a delivery that it has just read may have ended since: that left the queue after its end
    // was noted.
    if (!this.#isFirst && !(await this.inFlight.has(member))) return true;
    if (endpoint === undefined) return false;
    const { enabledAt = endpoint.enabledAt } = failed ?? {};
    this.queues.require(target, endpoint.appId).add(delivery, failed && { ...failed, enabledAt });
    // It failed before its endpoint was enabled: it waits for nothing.
    if (enabledAt !== endpoint.enabledAt) await this.retries.promote([member]);
    return true;
  }
}

function isDelivery(inFlight: InFlight): inFlight is Delivery {
  return inFlight.target !== PROCESS && inFlight.messageId !== undefined;
}
