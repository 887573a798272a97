import { endpointListAggregate } from '#domain/endpoint-list';
import { type WebhookEndpoint, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { LiveAggregates } from '#event-store';
import { type RunningEndpoint, toRunning } from './running-endpoint.js';

/**
 * Ids whose endpoint was never created are kept for so many more that are listed: the creation of one that
 * was listed just now may be under way. Crashes between the two acts leave them.
 */
const UNUSED_IDS_KEPT = 100;

/** A list as it was made, and of which states: it is made anew when one of them is another. */
interface MadeList {
  readonly states: readonly WebhookEndpoint[];
  readonly running: readonly RunningEndpoint[];
}

/** The endpoints of apps, by the lists that the apps have of them (decision 0011). */
export class EndpointLists {
  /** By the states of lists that are in memory: each event of an app asks for its endpoints. */
  private readonly lists = new WeakMap<object, MadeList>();

  constructor(private readonly live: LiveAggregates) {}

  /** Those that are running, in the order of their ids; at once where memory has them. @throws Fault `unavailable`. */
  list(appId: string): readonly RunningEndpoint[] | Promise<readonly RunningEndpoint[]> {
    return this.recall(appId) ?? this.make(appId);
  }

  private recall(appId: string): readonly RunningEndpoint[] | undefined {
    const listed = this.live.recall(endpointListAggregate, appId)?.state;
    const known = listed && this.lists.get(listed);
    if (listed === undefined || known === undefined) return undefined;
    const isCurrent = listed.endpointIds.every(
      (id, at) => this.live.recall(webhookEndpointAggregate, id)?.state === known.states[at],
    );
    return isCurrent ? known.running : undefined;
  }

  private async make(appId: string): Promise<readonly RunningEndpoint[]> {
    const { state: listed } = await this.live.get(endpointListAggregate, appId);
    const states = await Promise.all(listed.endpointIds.map((id) => this.load(id)));
    const running = states.flatMap((state) => toRunning(state) ?? []).sort(byId);
    this.lists.set(listed, { states, running });
    return running;
  }

  /**
   * Endpoints that an app's list need not name any longer: a deletion is for good.
   *
   * @throws Fault `unavailable`.
   */
  async findGone(appId: string): Promise<string[]> {
    const { endpointIds: ids } = (await this.live.get(endpointListAggregate, appId)).state;
    const states = await Promise.all(ids.map((id) => this.load(id)));
    return ids.filter((_, index) => {
      const status = states[index]?.status;
      return status === 'deleted' || (status === 'none' && index < ids.length - UNUSED_IDS_KEPT);
    });
  }

  private async load(endpointId: string): Promise<WebhookEndpoint> {
    return (await this.live.get(webhookEndpointAggregate, endpointId)).state;
  }
}

function byId(left: RunningEndpoint, right: RunningEndpoint): number {
  return left.endpointId < right.endpointId ? -1 : 1;
}
