import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { fromMilliseconds } from '#domain/calendar';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { EndpointFailures, type Failing } from '#worker-state';
import type { CommandExecutor } from '#event-store';
import { type Clock, type Log, newUuid, warnSeldom } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import {
  ENDPOINTS_KEPT,
  FAILING_DISABLES_AFTER_MS,
  SUCCESS_REPORTED_EVERY_MS,
} from '../../limits.js';
import { APPS, CLOCK, COMMANDS, LOG } from '../../tokens.js';
import { EndpointLimiter } from './endpoint-limiter.js';

/** An attempt that failed, as far as it says something of its endpoint. */
export interface FailedAttempt {
  /** As it was known when the attempt was made; undefined where none was. */
  readonly endpoint: RunningEndpoint | undefined;
  /** The receiver says that it wants nothing more: 410. */
  readonly isGone: boolean;
  readonly reason: string;
  /** The receiver's own wait. */
  readonly retryAfterMs: number;
  /** How long the attempt took; undefined where none was made, for a reason that is not the receiver's. */
  readonly tookMs: number | undefined;
}

const ACTOR = 'process:deliver_webhooks';

/**
 * Reports attempts to the limiter of this partition, and to the endpoints' shared state, which shows operators how
 * endpoints are and counts the days of nothing but failures (rules/webhooks 6). Disables endpoints whose receivers want
 * nothing more, or take nothing (rules/webhooks 7). Calls never throw.
 */
@Injectable()
export class EndpointHealth {
  /** Endpoints whose success was reported lately, so that failures of other partitions count no more. */
  readonly #succeeded = new LRUCache<string, true>({
    max: ENDPOINTS_KEPT,
    ttl: SUCCESS_REPORTED_EVERY_MS,
  });

  constructor(
    private readonly limiter: EndpointLimiter,
    private readonly shared: EndpointFailures,
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Reports the success if this endpoint has failed here since the last one, otherwise hourly. */
  async succeeded(endpointId: string): Promise<void> {
    await this.limiter.succeeded(endpointId);
    if (this.#succeeded.has(endpointId)) return;
    this.#succeeded.set(endpointId, true);
    this.shared.noteSuccess(endpointId).catch((error: unknown) => {
      warnSeldom(this.log, error, 'a success of an endpoint could not be noted');
      // The next success is reported again.
      this.#succeeded.delete(endpointId);
    });
  }

  /**
   * Counts a failure, and disables the endpoint of an attempt that was answered with 410, or that ends five days of
   * nothing but failures. Those before it was last enabled or changed do not count.
   *
   * @returns whether it is disabled now; where that fails, another attempt fails, and so leads here again.
   */
  async failed(endpointId: string, failed: FailedAttempt): Promise<boolean> {
    const { endpoint, isGone, reason } = failed;
    const failing = await this.#count(endpointId, failed);
    if (endpoint === undefined) return false;
    const details = { endpointId, appId: endpoint.appId, reason };
    if (isGone) {
      this.log.warn(details, 'the receiver wants nothing more: its endpoint is disabled');
      return this.#disable(endpoint, 'gone');
    }
    if (failing === undefined) return false;
    const asItIs = [endpoint.enabledAt, endpoint.changedAt].map((at) => Date.parse(at));
    const sinceMs = Math.max(failing.sinceMs, ...asItIs);
    if (Date.parse(this.clock.now()) - sinceMs < FAILING_DISABLES_AFTER_MS) return false;
    const failingSince = fromMilliseconds(sinceMs);
    this.log.error({ ...details, failingSince }, 'an endpoint has failed for days: it is disabled');
    return this.#disable(endpoint, 'failing');
  }

  /** It is enabled: one attempt goes first. */
  enabled(endpointId: string): void {
    this.limiter.enabled(endpointId);
  }

  /** It is tried at once, whatever other partitions have said. */
  changed(endpointId: string): void {
    this.limiter.changed(endpointId);
    this.shared.noteChange(endpointId).catch((error: unknown) => {
      warnSeldom(this.log, error, 'the breaker of an endpoint could not be closed');
    });
  }

  /** @returns undefined where nothing was sent, for a reason that is not the receiver's, or where Redis is away. */
  async #count(
    endpointId: string,
    { tookMs, retryAfterMs }: FailedAttempt,
  ): Promise<Failing | undefined> {
    if (tookMs === undefined) return undefined;
    const openUntilMs = await this.limiter.failed(endpointId, retryAfterMs);
    this.#succeeded.delete(endpointId);
    try {
      return await this.shared.noteFailure(endpointId, Date.parse(this.clock.now()), openUntilMs);
    } catch (error) {
      warnSeldom(this.log, error, 'a failure of an endpoint could not be counted');
      return undefined;
    }
  }

  async #disable(endpoint: RunningEndpoint, reason: 'gone' | 'failing'): Promise<boolean> {
    const { endpointId, appId, url, enabledAt } = endpoint;
    try {
      const app = await this.apps.find(appId);
      if (app === undefined) return false;
      const now = this.clock.now();
      const seen = { url, enabledAt };
      const command = { kind: 'DisableWebhookEndpoint', reason, seen, now } as const;
      const { environment } = app;
      const context = { appId, environment, actor: ACTOR, correlationId: newUuid(), now };
      const result = await this.commands.execute(
        webhookEndpointAggregate,
        endpointId,
        command,
        context,
      );
      return result.accepted && result.state.status === 'disabled';
    } catch (error) {
      warnSeldom(this.log, error, 'an endpoint could not be disabled');
      return false;
    }
  }
}
