import { Inject, Injectable } from '@nestjs/common';
import { fromMilliseconds } from '#domain/calendar';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { CommandExecutor } from '#event-store';
import { type Clock, type Log, newUuid, warnSeldom } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import type { Failing } from '#worker-state';
import { FAILING_DISABLES_AFTER_MS } from '../limits.js';
import { APPS, CLOCK, COMMANDS, LOG } from '../tokens.js';
import type { DeliveryOutcome } from './delivery-act.js';

type Failed = Pick<Extract<DeliveryOutcome, { kind: 'failed' }>, 'endpoint' | 'isGone' | 'reason'>;

const ACTOR = 'process:deliver_webhooks';

/** Disables endpoints whose receivers want nothing more, or take nothing (rules/webhooks 7). */
@Injectable()
export class EndpointDisabling {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'execute'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * Disables the endpoint of an attempt that was answered with 410, or that ends five days of nothing but failures.
   * What was before it was last enabled or changed does not count.
   *
   * @param failing what is known of its failures, over all partitions.
   * @returns whether it is disabled now; a failure leads to another attempt, and so here again. Never throws.
   */
  async disableIfDue(
    { endpoint, isGone, reason }: Failed,
    failing: Failing | undefined,
  ): Promise<boolean> {
    if (endpoint === undefined) return false;
    const details = { endpointId: endpoint.endpointId, appId: endpoint.appId, reason };
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
