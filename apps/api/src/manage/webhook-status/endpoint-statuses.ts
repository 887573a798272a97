import { Inject, Injectable } from '@nestjs/common';
import { APP_DIRECTORY } from '#nest';
import { wallClock } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { EndpointFailures, type EndpointState } from '#worker-state';
import { FailedDeliveries, type FailedDelivery } from '../webhook-endpoints/failed-deliveries.js';
import { renderEndpoint } from '../webhook-endpoints/render-endpoint.js';
import { countByEndpoint, type EndpointCounts, NO_COUNTS } from './endpoint-counts.js';
import type { EndpointStatusDto } from './webhook-status.dto.js';
import { WrittenTimes } from './written-times.js';

/** The status of endpoints, for operators who ask why webhooks do not arrive (rules/webhooks 12). */
@Injectable()
export class EndpointStatuses {
  constructor(
    @Inject(APP_DIRECTORY) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
    @Inject(EndpointFailures) private readonly failures: Pick<EndpointFailures, 'read'>,
    private readonly failed: FailedDeliveries,
    private readonly times: WrittenTimes,
  ) {}

  /** The endpoints of these apps, in the order of apps and ids. @throws Fault of store or Redis. */
  async find(appIds: readonly string[]): Promise<EndpointStatusDto[][]> {
    const backups = await this.failed.readBackups();
    const counts = countByEndpoint(backups);
    const failed = new Map<string, number>();
    const isAsked = ({ appId }: FailedDelivery) => appIds.includes(appId);
    const givenUp = await this.failed.findSendable(isAsked, backups);
    for (const { target } of givenUp) {
      failed.set(target, (failed.get(target) ?? 0) + 1);
    }
    const found: EndpointStatusDto[][] = [];
    // One app after the other: each has some dozen endpoints, which are looked at together.
    for (const appId of appIds) {
      const endpoints = await this.apps.listEndpoints(appId);
      const looking = endpoints.map((endpoint) =>
        this.#look(endpoint, {
          ...(counts.get(endpoint.endpointId) ?? NO_COUNTS),
          failed: failed.get(endpoint.endpointId) ?? 0,
        }),
      );
      found.push(await Promise.all(looking));
    }
    return found;
  }

  async #look(
    endpoint: RunningEndpoint,
    counts: EndpointCounts & { readonly failed: number },
  ): Promise<EndpointStatusDto> {
    const nowMs = Date.parse(wallClock.now());
    const known = await this.failures.read(endpoint.endpointId, nowMs);
    const { id, url, state, disabledReason, disabledAt } = renderEndpoint(endpoint);
    const { breaker, failures, failingSince, openUntil } = known;
    const { inFlight, oldest, behindAfter, failed } = counts;
    return {
      ...{ id, url, state, disabledReason, disabledAt },
      class: classify(endpoint, known),
      ...{ breaker, openUntil: openUntil ?? '', failures, failingSince: failingSince ?? '' },
      inFlight,
      oldestInFlightAt: await this.times.find(oldest),
      behind: behindAfter !== null,
      behindSince: await this.times.find(behindAfter),
      failed,
    };
  }
}

/** By the knowledge of all processes; a worker's metrics have its own alone. */
function classify({ state }: RunningEndpoint, { failures }: EndpointState): string {
  if (state === 'disabled') return 'held';
  return failures > 0 ? 'failing' : 'healthy';
}
