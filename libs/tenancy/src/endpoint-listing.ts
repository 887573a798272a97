import { endpointListAggregate } from '#domain/endpoint-list';
import { ledgerUpgradeAggregate, type LedgerUpgradeCommand } from '#domain/ledger-upgrade';
import { COMMAND_RECORDED, type Position } from '#domain/event';
import {
  isRunning,
  type WebhookEndpointEvent,
  webhookEndpointAggregate,
} from '#domain/webhook-endpoint';
import {
  type CommandContext,
  type CommandExecutor,
  type EventStore,
  type FeedItem,
  type NamespaceIdentity,
  runCatchUp,
  UndecodableEvent,
} from '#event-store';
import {
  type Clock,
  forEachConcurrently,
  groupBy,
  jitteredDelayMs,
  type Log,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import { contextFor } from './endpoint-lists.js';
import { ENDPOINT_LISTS, ListedPlace } from './listed-place.js';

/** Lists that are written at once. */
const APPS_AT_ONCE = 16;
/** So often it is noted how far it is: a stop repeats no more than this. */
const NOTED_EVERY_MS = 2_000;
/** How often it is looked through what was written meanwhile, and noted: so much a start reads at most. */
const LOOKED_EVERY_MS = 3_600_000;
/** Where the store was out of reach it is looked again within this, at first. */
const FAILED_BASE_MS = 1_000;
const FAILED_CAP_MS = 30_000;

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
  const { commands, store, clock, log } = options;
  const place = new ListedPlace(options);
  if (await place.isUpgraded()) return false;
  const upgrade = async (command: LedgerUpgradeCommand) => {
    const context = contextFor({ appId: '', environment: 'production' }, clock.now());
    await commands.execute(ledgerUpgradeAggregate, ENDPOINT_LISTS, command, context);
  };
  const { layoutId } = options.identity;
  const note = (upTo: Position) => upgrade({ kind: 'AdvanceUpgrade', at: { layoutId, upTo } });
  const head = await store.headPosition();
  const listing = new EndpointListing(options, head, { find: () => place.find(), note });
  if (await listing.run()) {
    await listing.note(head);
    await upgrade({ kind: 'CompleteUpgrade' });
  }
  log.info('the webhook endpoints of all apps are listed');
  return true;
}

interface ListedEndpointsOptions extends Omit<EndpointListingOptions, 'onProgress'> {
  readonly everyMs?: number;
}

/**
 * Lists the endpoints that an older release created, and what could not be listed before (decision 0100): it
 * reads on from where the lists were known to be complete, now and then, and notes that they are. Beside all
 * other work, until the signal is aborted; never throws.
 */
export async function keepEndpointsListed(options: ListedEndpointsOptions): Promise<void> {
  const { signal, log, everyMs = LOOKED_EVERY_MS } = options;
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = everyMs;
    try {
      await listSincePlace(options, everyMs);
      failures = 0;
    } catch (error) {
      warnSeldom(log, error, 'webhook endpoints of an older release are looked for later');
      waitMs = Math.min(everyMs, jitteredDelayMs(failures, FAILED_BASE_MS, FAILED_CAP_MS));
      failures += 1;
    }
    await sleepUnlessAborted(waitMs, signal);
  }
}

async function listSincePlace(options: ListedEndpointsOptions, everyMs: number): Promise<void> {
  const place = new ListedPlace(options);
  const head = await options.store.headPosition();
  // Nothing lies behind the place but the note of it; noting that would be something new to note.
  if ((await place.readLast())?.position === head) return;
  // An upgrade that a stop cut short is gone on with, and waited for, by the next start.
  if (!(await place.isUpgraded())) return;
  const listing = new EndpointListing(options, head, place);
  if ((await listing.run()) && !(await place.isNotedWithin(everyMs))) await listing.note(head);
}

class EndpointListing {
  private notedAtMs = performance.now();
  private hasSkipped = false;

  constructor(
    private readonly options: EndpointListingOptions,
    private readonly head: Position,
    private readonly place: Pick<ListedPlace, 'find' | 'note'>,
  ) {}

  /** @returns whether all was read up to the head; not so where the signal was aborted. */
  async run(): Promise<boolean> {
    const { store, signal, log } = this.options;
    const isRead = new AbortController();
    await runCatchUp({
      store,
      categories: [webhookEndpointAggregate.category],
      loadCheckpoint: () => this.place.find(),
      handleBatch: (items, upTo) => this.handle(items, upTo),
      tellsEveryPosition: false,
      onCaughtUp: () => isRead.abort(),
      signal: AbortSignal.any([isRead.signal, signal]),
      log,
    });
    return isRead.signal.aborted;
  }

  /** Every endpoint up to here is listed. What was skipped is looked at again, from the place before it. */
  async note(upTo: Position): Promise<void> {
    if (!this.hasSkipped) await this.place.note(upTo);
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

  /** Those of one app that are not deleted since: a list that names many that are gone serves no one. */
  private async listReadable(endpoints: readonly Created[]): Promise<void> {
    const [{ appId, environment } = { appId: '', environment: 'production' as const }] = endpoints;
    const endpointIds: string[] = [];
    for (const { endpointId } of endpoints) {
      await this.skipUnreadable({ appId, endpointId }, async () => {
        if (await this.isRunning(endpointId)) endpointIds.push(endpointId);
      });
    }
    if (endpointIds.length === 0) return;
    const { commands, clock } = this.options;
    const command = { kind: 'ListEndpoints', endpointIds, gone: [] } as const;
    await this.skipUnreadable({ appId, endpointIds }, async () => {
      const context = contextFor({ appId, environment }, clock.now());
      await commands.execute(endpointListAggregate, appId, command, context);
    });
  }

  private async isRunning(endpointId: string): Promise<boolean> {
    const { state } = await this.options.commands.load(webhookEndpointAggregate, endpointId);
    return isRunning(state);
  }

  /** What a newer release wrote to one endpoint, or to one list, keeps no other from being listed. */
  private async skipUnreadable(about: object, list: () => Promise<void>): Promise<void> {
    try {
      await list();
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      this.hasSkipped = true;
      const { log } = this.options;
      log.error({ err: error, ...about }, 'webhook endpoints of an app are not listed');
    }
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
  if (event.type !== 'webhook_endpoint.created.v2') return [];
  const { appId, endpointId } = event.data;
  return [{ appId, endpointId, environment: item.metadata.environment }];
}
