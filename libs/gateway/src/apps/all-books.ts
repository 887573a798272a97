import { appAggregate, type AppEvent, type CreatedApp } from '#domain/app';
import { idOf, type Position } from '#domain/event';
import { type CommandExecutor, type EventStore, readLog } from '#event-store';
import { assertDefect } from '#platform';
import type { GatewayBooks } from '../gateway-books.js';
import { createSandboxBooks } from '../sandbox-books.js';
import { openAccount, type Secrets } from './stripe-clients.js';

interface AllBooksOptions {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition'>;
  readonly commands: Pick<CommandExecutor, 'load'>;
  readonly secrets: Secrets;
  /** Where something answers in Stripe's place, for test apps. */
  readonly stripeStandIn: URL | undefined;
  /** Earlier writes of the sandbox are not listed; all are where it is omitted. */
  readonly after?: Position | undefined;
  /** Of one app alone; of all where it is omitted. */
  readonly appId?: string;
  readonly signal: AbortSignal;
}

const GATEWAY_CONFIGURED: AppEvent['type'] = 'app.gateway_configured.v1';

/**
 * The books of all gateways (rules/payments 16): the sandbox's, and Stripe's of each app that has keys, also where
 * it went back to the sandbox. Keys are opened when the books are read.
 *
 * @throws Fault `unavailable` of the store.
 */
export async function listBooks(options: AllBooksOptions): Promise<readonly GatewayBooks[]> {
  const apps = await listStripeApps(options);
  return [createSandboxBooks(options), ...apps.map((app) => openBooks(app, options))];
}

async function listStripeApps(options: AllBooksOptions): Promise<readonly CreatedApp[]> {
  const { commands, appId } = options;
  const ids = appId === undefined ? await listConfigured(options) : [appId];
  const apps: CreatedApp[] = [];
  for (const id of ids) {
    const { state } = await commands.load(appAggregate, id);
    if (state.status === 'created' && state.stripeKeys !== null) apps.push(state);
  }
  return apps;
}

/** All apps that ever had a gateway set. */
async function listConfigured({ store, signal }: AllBooksOptions): Promise<ReadonlySet<string>> {
  const categories = [appAggregate.category];
  const ids = new Set<string>();
  for await (const { events } of readLog({ store, categories, signal })) {
    for (const { type, streamName } of events) {
      if (type === GATEWAY_CONFIGURED) ids.add(idOf(streamName));
    }
  }
  return ids;
}

function openBooks(app: CreatedApp, { secrets, stripeStandIn }: AllBooksOptions): GatewayBooks {
  const { appId } = app;
  let books: GatewayBooks | undefined;
  const open = async (): Promise<GatewayBooks> => {
    if (books !== undefined) return books;
    const { createStripeBooks } = await import('../stripe/index.js');
    const account = openAccount(app, secrets, stripeStandIn);
    assertDefect(account, `${appId} has no account at Stripe`);
    books = createStripeBooks(account);
    return books;
  };
  return {
    ...{ kind: 'stripe', appId },
    async *list(query) {
      yield* (await open()).list(query);
    },
    find: async (query) => (await open()).find(query),
  };
}
