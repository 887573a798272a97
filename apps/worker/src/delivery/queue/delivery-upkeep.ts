import { Inject, Injectable } from '@nestjs/common';
import { categoryOf, idOf } from '#domain/event';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { Clock } from '#platform';
import type { AppDirectory } from '#tenancy';
import { APPS, CLOCK } from '../../tokens.js';
import { DeliveryRunner } from './delivery-runner.js';
import { type EndpointQueue, EndpointQueues } from './endpoint-queue.js';
import { EndpointHealth } from '../limit/endpoint-health.js';
import { RetryWorker } from '../../jobs/retry-worker.js';

/** Lets deliveries go whose endpoint is enabled again, or that have failed for long, and measures them. */
@Injectable()
export class DeliveryUpkeep {
  #unfollow: () => void = () => undefined;

  constructor(
    private readonly queues: EndpointQueues,
    private readonly runner: DeliveryRunner,
    @Inject(EndpointHealth) private readonly health: Pick<EndpointHealth, 'changed' | 'enabled'>,
    private readonly worker: RetryWorker,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint' | 'onChange'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Deliveries begun before wait until then: nothing is sent before the losses of Redis are known. */
  start(): void {
    this.#unfollow = this.apps.onChange((streamNames) => this.#lookAgain(streamNames));
    this.runner.start();
    this.worker.start((retry, attempts) => this.runner.makeRetry(retry, attempts));
  }

  /**
   * Lets later deliveries pass those that have failed for an hour (rules/webhooks 5), and writes the metrics. @throws
   * Fault of Redis.
   */
  async check(): Promise<void> {
    this.queues.deferFailed(Date.parse(this.clock.now()));
    for (const queue of this.queues.all) {
      // It may have been enabled between the look at it and the note that it is held.
      if (queue.isHeld) await this.#letGoIfEnabled(queue);
    }
    this.runner.offer(this.queues.all);
    this.runner.measure();
    await this.worker.check();
  }

  /** Begins no more of them: the partition is given up, and another process soon begins them. */
  end(): void {
    this.#unfollow();
    this.runner.end();
    this.worker.end();
  }

  /** Gives attempts under way a moment, and then gives them up. */
  async stop(): Promise<void> {
    this.end();
    await Promise.all([this.worker.stop(), this.runner.stop()]);
  }

  /** An endpoint that was disabled may be enabled by now. One that was changed in any way is tried at once. */
  #lookAgain(streamNames: ReadonlySet<string>): void {
    for (const streamName of streamNames) {
      if (categoryOf(streamName) !== webhookEndpointAggregate.category) continue;
      const endpointId = idOf(streamName);
      this.health.changed(endpointId);
      const queue = this.queues.find(endpointId);
      // An unknown state is known by the next check.
      if (queue !== undefined) this.#letGoIfEnabled(queue).catch(() => queue.hold());
    }
  }

  /**
   * It is sent one message at first of those that it missed, and those that had failed before with it. @throws Fault.
   */
  async #letGoIfEnabled(queue: EndpointQueue): Promise<void> {
    const { endpointId } = queue;
    const endpoint = await this.apps.findEndpoint(endpointId);
    if (endpoint?.state === 'disabled') return;
    const failed = queue.failedBefore(endpoint?.enabledAt);
    if (!queue.letGo(endpoint?.enabledAt) && failed.length === 0) return;
    this.health.enabled(endpointId);
    await this.worker.promote(failed.map(({ delivery: { member } }) => member));
    this.runner.offer([queue]);
  }
}
