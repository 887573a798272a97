/**
 * The webshop over HTTP. Pages with 40 items, each with its own call of a catalog at a local server, against a bare
 * route that makes the same call and sends the same bytes. Orders by payment link, 64 at once, against raw appends of the
 * same events: with an endpoint, whose webhooks are waited for, and with none. All programs of the standalone run, and
 * the load generator shares the processors with them.
 */
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { backendClient, operatorClient } from '../support/api-client.js';
import { requireOk } from '../support/scenario.js';
import { startProgram } from '../support/program.js';
import { catalogSettings } from '../support/shop-catalog.js';
import {
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';
import { type BenchOptions, type BenchResult, readLoad } from './benchmark.js';
import { JsonClient } from './json-client.js';
import { replayRaw } from './raw-replay.js';
import { startReceiver } from './receiver.js';
import { buyOrders, findOrderEvents, MESSAGES_AN_ORDER } from './webshop-orders.js';
import { comparePages } from './webshop-pages.js';

export const description =
  'pages of the shop with 40 items against a bare route, and orders by payment link against raw appends (--events, 2,000)';

const DEFAULT_COUNT = 2_000;
/** Until the compilers of all programs have seen enough, as in `purchases`. */
const WARM_UP = 3_000;
const RAW_WARM_UP = 400;

export async function run({ events: count = DEFAULT_COUNT }: BenchOptions): Promise<BenchResult> {
  const folder = temporaryDataDir();
  const catalog = await startProgram('test/bench/studio-catalog.js', {});
  const standalone = await startStandalone(folder.dataDir, { LOG_LEVEL: 'error' });
  const { demo } = standalone;
  const store = connectEventStore(await standalone.eventStoreUrl());
  try {
    const settings = { catalog: catalogSettings({ url: String(catalog.ready['url']) }) };
    const app = `/manage/apps/${demo.appId}`;
    requireOk(await operatorClient(demo).send('PATCH', app, { body: settings }));
    const pages = await comparePages(standalone, backendClient(demo), catalog);
    const { ours, bare, ratios, ...more } = pages;
    const orders = await compareOrders(standalone, store, count);
    const extra = { ...more, orders, load: readLoad() };
    return { value: ours, limit: bare, unit: 'pages/s', ratios, extra };
  } finally {
    await store.dispose();
    await standalone.stop();
    await catalog.stop();
    folder.remove();
  }
}

async function compareOrders(standalone: RunningStandalone, store: LedgerStore, count: number) {
  const { demo } = standalone;
  const backend = JsonClient.forBackend(demo);
  const page = new JsonClient(demo.storefrontUrl);
  const receiver = await startReceiver();
  const buy = (orders: number, after?: () => Promise<void>) =>
    buyOrders(backend, page, orders, after);
  try {
    await buy(WARM_UP);
    const silent = await buy(count);
    const endpoint = { url: `${receiver.url}/`, eventTypes: ['*'] };
    const path = `/manage/apps/${demo.appId}/webhook-endpoints`;
    requireOk(await operatorClient(demo).post(path, endpoint));
    const told = await buy(count, () => receiver.until(MESSAGES_AN_ORDER * count));
    const events = await findOrderEvents(store, silent.one);
    const eventStoreUrl = await standalone.eventStoreUrl();
    await replayRaw(eventStoreUrl, events, RAW_WARM_UP);
    const raw = await replayRaw(eventStoreUrl, events, count);
    return {
      perSecond: Math.round(told.perSecond),
      ratio: Number((told.perSecond / raw).toFixed(3)),
      withoutEndpointPerSecond: Math.round(silent.perSecond),
      withoutEndpointRatio: Number((silent.perSecond / raw).toFixed(3)),
      rawPerSecond: Math.round(raw),
      eventsAnOrder: events.length,
    };
  } finally {
    await backend.close();
    await page.close();
    receiver.close();
  }
}
