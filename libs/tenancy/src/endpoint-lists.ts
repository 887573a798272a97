import { appAggregate } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import { categoryOf, idOf, type Instant } from '#domain/event';
import { type WebhookEndpoint, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { CommandContext, CommandExecutor, LiveAggregates } from '#event-store';
import { type Clock, type Log, retry, withTimeLimit } from '#platform';
import { type RunningEndpoint, toRunning } from './running-endpoint.js';

/** What an endpoint that no list names is listed within; it is tried again until then. */
const LISTING_LIMITS = { deadlineMs: 30_000, baseMs: 50, capMs: 2_000 };
/**
 * Ids whose endpoint was never created are kept for so many more that are listed: the creation of one that
 * was listed just now may be under way. Crashes between the two acts leave them.
 */
const UNUSED_IDS_KEPT = 100;

export interface EndpointListsOptions {
  readonly live: LiveAggregates;
  readonly commands: Pick<CommandExecutor, 'execute'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the apps are followed no longer: nothing is tried again then. */
  readonly signal: AbortSignal;
}

/** A list as it was made, and of which states: it is made anew when one of them is another. */
interface MadeList {
  readonly states: readonly WebhookEndpoint[];
  readonly running: readonly RunningEndpoint[];
}

/** The endpoints of apps, by the lists that the apps have of them (decision 0095). */
export class EndpointLists {
  private readonly listing = new Set<Promise<void>>();
  /** By the states of lists that are in memory: each event of an app asks for its endpoints. */
  private readonly lists = new WeakMap<object, MadeList>();

  constructor(private readonly options: EndpointListsOptions) {
    options.live.onChange((streamNames) => this.listAll(streamNames));
  }

  /** Those that are running, in the order of their ids; at once where memory has them. @throws Fault `unavailable`. */
  list(appId: string): readonly RunningEndpoint[] | Promise<readonly RunningEndpoint[]> {
    return this.recall(appId) ?? this.make(appId);
  }

  private recall(appId: string): readonly RunningEndpoint[] | undefined {
    const { live } = this.options;
    const listed = live.recall(endpointListAggregate, appId)?.state;
    const known = listed && this.lists.get(listed);
    if (listed === undefined || known === undefined) return undefined;
    const isCurrent = listed.endpointIds.every(
      (id, at) => live.recall(webhookEndpointAggregate, id)?.state === known.states[at],
    );
    return isCurrent ? known.running : undefined;
  }

  private async make(appId: string): Promise<readonly RunningEndpoint[]> {
    const { state: listed } = await this.options.live.get(endpointListAggregate, appId);
    const states = await Promise.all(listed.endpointIds.map((id) => this.load(id)));
    const running = states.flatMap((state) => toRunning(state) ?? []).sort(byId);
    this.lists.set(listed, { states, running });
    return running;
  }

  /**
   * What an app's list need not name any longer: what is deleted is so for good.
   *
   * @throws Fault `unavailable`.
   */
  async findGone(appId: string): Promise<string[]> {
    const ids = await this.listIds(appId);
    const states = await Promise.all(ids.map((id) => this.load(id)));
    return ids.filter((_, index) => {
      const status = states[index]?.status;
      return status === 'deleted' || (status === 'none' && index < ids.length - UNUSED_IDS_KEPT);
    });
  }

  /** Resolves when every endpoint that went by so far is listed. @throws Fault after the limit. */
  async settled(limitMs: number): Promise<void> {
    if (this.listing.size === 0) return;
    await withTimeLimit(Promise.all(this.listing), limitMs, 'listing endpoints of apps');
  }

  private async listIds(appId: string): Promise<readonly string[]> {
    return (await this.options.live.get(endpointListAggregate, appId)).state.endpointIds;
  }

  private async find(endpointId: string): Promise<RunningEndpoint | undefined> {
    return toRunning(await this.load(endpointId));
  }

  private async load(endpointId: string): Promise<WebhookEndpoint> {
    return (await this.options.live.get(webhookEndpointAggregate, endpointId)).state;
  }

  /**
   * Lists those of these endpoints that are in no list: an older release creates endpoints and lists none.
   *
   * @throws Fault `unavailable`.
   */
  async requireListed(endpointIds: Iterable<string>): Promise<void> {
    for (const endpointId of endpointIds) await this.listIfUnlisted(endpointId);
  }

  /** An older release may run beside this one. */
  private listAll(streamNames: ReadonlySet<string>): void {
    for (const name of streamNames) {
      if (categoryOf(name) !== webhookEndpointAggregate.category) continue;
      const listed = this.listUnlisted(idOf(name)).finally(() => this.listing.delete(listed));
      this.listing.add(listed);
    }
  }

  /** Never throws: what could not be listed is logged, and every other process has tried, too. */
  private async listUnlisted(endpointId: string): Promise<void> {
    const { signal } = this.options;
    try {
      await retry(() => this.listIfUnlisted(endpointId), { ...LISTING_LIMITS, signal });
    } catch (error) {
      if (signal.aborted) return;
      this.options.log.error({ err: error, endpointId }, 'a webhook endpoint could not be listed');
    }
  }

  private async listIfUnlisted(endpointId: string): Promise<void> {
    const endpoint = await this.find(endpointId);
    if (endpoint === undefined) return;
    const { appId } = endpoint;
    if ((await this.listIds(appId)).includes(endpointId)) return;
    const { live, commands, clock } = this.options;
    const { state: app } = await live.get(appAggregate, appId);
    const environment = app.status === 'created' ? app.environment : 'production';
    const context = contextFor({ appId, environment }, clock.now());
    const command = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
    await commands.execute(endpointListAggregate, appId, command, context);
    await live.refresh(endpointListAggregate, appId);
  }
}

/** For lists that no request changes. */
export function contextFor(
  { appId, environment }: Pick<CommandContext, 'appId' | 'environment'>,
  now: Instant,
): CommandContext {
  return { appId, environment, actor: 'process:list_endpoints', correlationId: appId, now };
}

function byId(left: RunningEndpoint, right: RunningEndpoint): number {
  return left.endpointId < right.endpointId ? -1 : 1;
}
