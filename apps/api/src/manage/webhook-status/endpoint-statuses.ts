import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '#domain/event';
import type { EventStore } from '#event-store';
import { APP_DIRECTORY, EVENT_STORE } from '#nest';
import { wallClock } from '#platform';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { type Backup, EndpointFailures, type EndpointState, readInFlight } from '#worker-state';
import { FailedDeliveries, type FailedDelivery } from '../webhook-endpoints/failed-deliveries.js';
import { renderEndpoint } from '../webhook-endpoints/queries/read-endpoints.js';
import type { EndpointStatusDto } from './webhook-status.dto.js';

/** When the events at positions of the store were written. */
@Injectable()
export class WrittenTimes {
  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'findTime'>) {}

  /** `""` where there is no position, or nothing there. @throws Fault of the store. */
  async find(position: Position | null): Promise<Instant> {
    return position === null ? '' : ((await this.store.findTime(position)) ?? '');
  }
}

/** The deliveries of an endpoint that are under way or wait, over all partitions. */
export interface EndpointCounts {
  readonly inFlight: number;
  /** Of the oldest event of which something is in flight; null where nothing is. */
  readonly oldest: Position | null;
  /** After which position the store is read again for it; null where it is backlogged in no partition. */
  readonly behindAfter: Position | null;
}

const NO_COUNTS: EndpointCounts = {
  ...{ inFlight: 0, oldest: null, behindAfter: null },
};

type WrittenBackup = Pick<Backup, 'inFlight' | 'cursors'>;

/** By the ids of endpoints; those that nothing is known of are left out. */
export function countByEndpoint(
  backups: readonly (WrittenBackup | undefined)[],
): ReadonlyMap<string, EndpointCounts> {
  const counts = new Map<string, EndpointCounts>();
  const update = (id: string, change: (before: EndpointCounts) => Partial<EndpointCounts>) => {
    const before = counts.get(id) ?? NO_COUNTS;
    counts.set(id, { ...before, ...change(before) });
  };
  for (const { inFlight, cursors } of backups.filter((backup) => backup !== undefined)) {
    for (const { member } of inFlight) {
      const work = readInFlight(member);
      // Charges and refunds are in flight, too, and are sent to no endpoint.
      if (work?.messageId === undefined) continue;
      const { target, position } = work;
      update(target, (before) => ({
        ...{ inFlight: before.inFlight + 1, oldest: earlier(before.oldest, position) },
      }));
    }
    for (const { endpointId, after } of cursors) {
      update(endpointId, (before) => ({ behindAfter: earlier(before.behindAfter, after) }));
    }
  }
  return counts;
}

function earlier(one: Position | null, other: Position): Position {
  return one === null || other < one ? other : one;
}

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
