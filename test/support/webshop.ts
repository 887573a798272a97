import { afterAll, beforeAll } from 'vitest';
import type { Ledger } from './fixture.js';
import { requireOk } from './scenario.js';
import { catalogSettings, type CatalogServer, startCatalogServer } from './shop-catalog.js';
import { openShop, type ShopClient } from './shop-client.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

/** A message of the family v1, as a receiver got it. */
export interface SentMessage {
  readonly type: string;
  readonly environment: string;
  readonly eventData: Readonly<Record<string, unknown>>;
  /** `service-event-sequence`. */
  readonly sequence: number;
}

/** A studio's shop: its catalog, and a receiver of all webhooks. */
export interface Webshop {
  catalog: CatalogServer;
  receiver: WebhookReceiver;
  /** A player with a session. */
  open(player: string, more?: Readonly<Record<string, unknown>>): Promise<ShopClient>;
  /** The messages about a player, all or of a type. */
  sentTo(player: string, type?: string): SentMessage[];
  /** Waits until there are so many. */
  untilSent(player: string, type: string, count?: number): Promise<SentMessage[]>;
}

/** Gives a file's app a catalog and a receiver. */
export function useWebshop(ledger: Pick<Ledger, 'appId' | 'backend' | 'operator'>): Webshop {
  // Filled before the first test runs; tests are the only ones that look.
  const shop = {} as Webshop;
  beforeAll(async () => {
    const [catalog, receiver] = [await startCatalogServer(), await startWebhookReceiver()];
    const app = `/manage/apps/${ledger.appId}`;
    const settings = { catalog: catalogSettings(catalog) };
    requireOk(await ledger.operator.send('PATCH', app, { body: settings }));
    const endpoint = { url: receiver.url, eventTypes: ['*'], accept: '2xx' };
    requireOk(await ledger.operator.post(`${app}/webhook-endpoints`, endpoint));
    const sentTo = (player: string, type?: string) => listSent(receiver, player, type);
    Object.assign(shop, {
      ...{ catalog, receiver, sentTo },
      open: (player: string, more = {}) => openShop(ledger.backend, player, more),
      untilSent: async (player: string, type: string, count = 1) => {
        await receiver.until(() => sentTo(player, type).length >= count);
        return sentTo(player, type);
      },
    });
  });
  afterAll(async () => {
    await shop.catalog.close();
    await shop.receiver.close();
  });
  return shop;
}

function listSent(
  { received }: WebhookReceiver,
  player: string,
  type: string | undefined,
): SentMessage[] {
  return received
    .map(({ bytes, headers }) => {
      const body = JSON.parse(bytes.toString()) as Partial<SentMessage> & Pick<SentMessage, 'type'>;
      const sequence = Number(headers['service-event-sequence']);
      return { environment: '', eventData: {}, ...body, sequence };
    })
    .filter(({ eventData }) => eventData['userId'] === player)
    .filter((message) => type === undefined || message.type === type);
}
