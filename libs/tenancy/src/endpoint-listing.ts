import { endpointListAggregate } from '#domain/endpoint-list';
import { ledgerUpgradeAggregate } from '#domain/ledger-upgrade';
import { COMMAND_RECORDED, type Position } from '#domain/event';
import { type WebhookEndpointEvent, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandContext,
  type CommandExecutor,
  type EventStore,
  type FeedItem,
  type NamespaceIdentity,
  runCatchUp,
  START,
  UndecodableEvent,
} from '#event-store';
import {
  type Clock,
  forEachConcurrently,
  groupBy,
  type Log,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import type { AppDirectory } from './app-directory.js';
import { contextFor } from './endpoint-lists.js';

/** The name of the upgrade in the ledger (decision 0095). */
const UPGRADE = 'endpoint_lists';
/** Lists that are written at once. */
const APPS_AT_ONCE = 16;
/** So often it is noted how far it is: a stop repeats no more than this. */
const NOTED_EVERY_MS = 2_000;
/** How often it is noted that nothing is missing: so much of the log a start reads again, beside its work. */
const KEPT_UP_EVERY_MS = 3_600_000;
/** How long the apps may be behind when that is noted. */
const FOLLOWED_LIMIT_MS = 30_000;

interface EndpointListingOptions {
  readonly store: EventStore;
  readonly commands: CommandExecutor;
  readonly identity: NamespaceIdentity;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called now and then with how much of the store is read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Lists the endpoints of all apps, once in the life of a ledger: those of an older release stand in no list.
 * It reads the store through, goes on where any process has come, and may run in several at once.
 *
 * @returns whether there was anything to do; aborted, it goes on at the next start. @throws Fault.
 */
export async function listEndpointsOnce(options: EndpointListingOptions): Promise<boolean> {
  const { commands, store, log } = options;
  if ((await commands.load(ledgerUpgradeAggregate, UPGRADE)).state.isCompleted) return false;
  const listing = new EndpointListing(options, await store.headPosition());
  if (await listing.run()) await listing.complete();
  log.info('the webhook endpoints of all apps are listed');
  return true;
}

interface ListedEndpointsOptions extends Omit<EndpointListingOptions, 'onProgress'> {
  /** Follows the store since before, and lists what goes by. */
  readonly apps: Pick<AppDirectory, 'catchUpTo'>;
  readonly everyMs?: number;
}

/**
 * Lists the endpoints that an older release created while no process of this one ran, as after a rollback
 * (decision 0100): it reads on from where the lists were known to be complete, and notes now and then that they
 * are. Beside all other work, until the signal is aborted; never throws.
 */
export async function keepEndpointsListed(options: ListedEndpointsOptions): Promise<void> {
  const { store, apps, signal, log, everyMs = KEPT_UP_EVERY_MS } = options;
  let isComplete = false;
  while (!signal.aborted) {
    try {
      const head = await store.headPosition();
      const listing = new EndpointListing(options, head);
      if (isComplete) await apps.catchUpTo(head, FOLLOWED_LIMIT_MS);
      else isComplete = await listing.run();
      if (isComplete) await listing.note(head);
    } catch (error) {
      warnSeldom(log, error, 'webhook endpoints of an older release are looked for later');
    }
    await sleepUnlessAborted(everyMs, signal);
  }
}

class EndpointListing {
  private notedAtMs = performance.now();

  constructor(
    private readonly options: EndpointListingOptions,
    private readonly head: Position,
  ) {}

  /** @returns whether all was read up to the head; not so where the signal was aborted. */
  async run(): Promise<boolean> {
    const { store, signal, log } = this.options;
    const isRead = new AbortController();
    await runCatchUp({
      store,
      categories: [webhookEndpointAggregate.category],
      loadCheckpoint: () => this.findStart(),
      handleBatch: (items, upTo) => this.handle(items, upTo),
      tellsEveryPosition: false,
      onCaughtUp: () => isRead.abort(),
      signal: AbortSignal.any([isRead.signal, signal]),
      log,
    });
    return isRead.signal.aborted;
  }

  async complete(): Promise<void> {
    const { commands } = this.options;
    await this.note(this.head);
    const command = { kind: 'CompleteUpgrade' } as const;
    await commands.execute(ledgerUpgradeAggregate, UPGRADE, command, this.ownContext());
  }

  /** Every endpoint up to here is listed. */
  async note(upTo: Position): Promise<void> {
    const at = { layoutId: this.options.identity.layoutId, upTo };
    const command = { kind: 'AdvanceUpgrade', at } as const;
    const { commands } = this.options;
    await commands.execute(ledgerUpgradeAggregate, UPGRADE, command, this.ownContext());
  }

  private async findStart(): Promise<Position> {
    const { state } = await this.options.commands.load(ledgerUpgradeAggregate, UPGRADE);
    // Positions of another store, or of a time that was lost with a restore, mean nothing.
    return state.at?.layoutId === this.options.identity.layoutId ? state.at.upTo : START;
  }

  private async handle(items: readonly FeedItem[], upTo: Position): Promise<void> {
    const created = items.flatMap((item) => findCreated(item));
    const apps = groupBy(created, ({ appId }) => appId);
    await forEachConcurrently(apps, APPS_AT_ONCE, (endpoints) => this.listReadable(endpoints));
    // A ledger without endpoints has nothing that it could be waited for.
    if (items.length > 0) this.options.onProgress?.(Math.min(1, Number(upTo) / Number(this.head)));
    if (performance.now() - this.notedAtMs < NOTED_EVERY_MS) return;
    this.notedAtMs = performance.now();
    await this.note(upTo);
  }

  /** A list that this release cannot read was written by a newer one, which has these endpoints on it. */
  private async listReadable(endpoints: readonly Created[]): Promise<void> {
    try {
      await this.list(endpoints);
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      const [{ appId } = { appId: '' }] = endpoints;
      this.options.log.error({ err: error, appId }, 'webhook endpoints of an app are not listed');
    }
  }

  /** Those of one app that are not deleted since: a list that names many that are gone serves no one. */
  private async list(endpoints: readonly Created[]): Promise<void> {
    const [{ appId, environment } = { appId: '', environment: 'production' as const }] = endpoints;
    const { commands, clock } = this.options;
    const endpointIds: string[] = [];
    for (const { endpointId } of endpoints) {
      const { state } = await commands.load(webhookEndpointAggregate, endpointId);
      if (state.status === 'enabled') endpointIds.push(endpointId);
    }
    if (endpointIds.length === 0) return;
    const command = { kind: 'ListEndpoints', endpointIds, gone: [] } as const;
    const context = contextFor({ appId, environment }, clock.now());
    await commands.execute(endpointListAggregate, appId, command, context);
  }

  private ownContext(): CommandContext {
    return contextFor({ appId: '', environment: 'production' }, this.options.clock.now());
  }
}

interface Created extends Pick<CommandContext, 'appId' | 'environment'> {
  readonly endpointId: string;
}

/** An event that this release cannot read is of an endpoint that a newer one has listed. */
function findCreated(item: FeedItem): Created[] {
  if ('undecodable' in item || item.type === COMMAND_RECORDED) return [];
  // A stream of a category carries the events of that category only.
  const event = { type: item.type, data: item.data } as WebhookEndpointEvent;
  if (event.type !== 'webhook_endpoint.created.v1') return [];
  const { appId, endpointId } = event.data;
  return [{ appId, endpointId, environment: item.metadata.environment }];
}
