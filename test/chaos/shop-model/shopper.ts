import { randomUUID } from 'node:crypto';
import {
  type Answer,
  anonymous,
  type ApiClient,
  backendClient,
  bearer,
} from '../../support/api-client.js';
import { knowPrices, putTaxRates } from '../../support/prices.js';
import { requireOk } from '../../support/scenario.js';
import { catalogSettings, type CatalogServer } from '../../support/shop-catalog.js';
import { openShop, type ShopClient } from '../../support/shop-client.js';
import type { RunningStandalone } from '../../support/standalone.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  dollars,
  ITEMS,
  type ItemId,
  MILESTONES,
  POINTS_PER_DOLLAR,
  TAX_PERCENT,
} from './model.js';

const DAY_MS = 86_400_000;

/** Where the runs of the model play: a standalone, a studio's catalog, and what receives its webhooks. */
export interface ShopStage {
  readonly standalone: Pick<RunningStandalone, 'baseUrl' | 'demo'>;
  readonly allAppsToken: string;
  readonly catalog: CatalogServer;
  readonly receiver: WebhookReceiver;
}

/** A message that the studio got about the player. */
export interface GotMessage {
  readonly type: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One player of an app of its own, in the shop. */
export class Shopper {
  private constructor(
    private readonly stage: ShopStage,
    private readonly backend: ApiClient,
    private readonly shop: ShopClient,
    private readonly player: string,
    readonly campaignId: string,
  ) {}

  static async start(stage: ShopStage): Promise<Shopper> {
    const { baseUrl, demo } = stage.standalone;
    const operator = bearer(baseUrl, stage.allAppsToken);
    const made = requireOk(
      await operator.post('/manage/apps', { name: 'shop model', environment: 'test' }),
    );
    const appId = String(made.body['appId']);
    const app = `/manage/apps/${appId}`;
    const secret = String(made.body['ingressSecret']);
    const backend = backendClient({ ...demo, appId, ingressSecret: secret });
    const body = { catalog: catalogSettings(stage.catalog) };
    requireOk(await operator.send('PATCH', app, { body }));
    const rates = [{ country: 'US', rate: (TAX_PERCENT / 100).toFixed(2), inclusive: false }];
    await knowPrices(backend, await putTaxRates(operator, appId, { rates }));
    const endpoint = { url: stage.receiver.url, eventTypes: ['*'], accept: '2xx' };
    requireOk(await operator.post(`${app}/webhook-endpoints`, endpoint));
    const campaign = requireOk(await operator.post(`${app}/loyalty-campaigns`, CAMPAIGN()));
    stage.catalog.offer(...OFFERED);
    const player = `shopper-${randomUUID()}`;
    const shop = await openShop(backend, player, { regionCode: 'US' });
    return new Shopper(stage, backend, shop, player, String(campaign.body['id']));
  }

  add(itemId: ItemId, quantity: number): Promise<Answer> {
    return this.shop.add({ itemId, quantity });
  }

  set(itemId: ItemId, quantity: number): Promise<Answer> {
    return this.shop.post(`/shop/cart/items/${itemId}`, { quantity });
  }

  checkOut(): Promise<Answer> {
    return this.shop.checkOut();
  }

  buyNow(itemId: ItemId, quantity: number): Promise<Answer> {
    return this.shop.post(`/shop/items/${itemId}/buy`, { quantity });
  }

  claim(itemId: ItemId): Promise<Answer> {
    return this.shop.post(`/shop/items/${itemId}/claim`, { claimId: randomUUID() });
  }

  claimMilestone(milestoneId: string): Promise<Answer> {
    return this.shop.post(`/shop/milestones/${this.campaignId}/${milestoneId}/claim`);
  }

  pay(url: string, paymentMethod: string): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    return anonymous(origin).post(`${pathname}/complete`, { paymentMethod });
  }

  cancel(url: string): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    return anonymous(origin).post(`${pathname}/cancel`, {});
  }

  async refund(orderId: string, cents: number): Promise<Answer> {
    const { body } = requireOk(await this.backend.get(`/sdk/server/orders/${orderId}`));
    const path = `/sdk/server/payments/${String(body['paymentId'])}/refunds`;
    return this.backend.post(path, { amountCents: String(cents) });
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return requireOk(await this.shop.get(path)).body;
  }

  /** An order as the studio's backend sees it. */
  async readOrder(orderId: string): Promise<Record<string, unknown>> {
    return requireOk(await this.backend.get(`/sdk/server/orders/${orderId}`)).body;
  }

  /** Messages of payments and subscriptions about the player: orders of the shop give none (rules/orders 6). */
  strays(): string[] {
    return this.stage.receiver.received
      .filter(({ data }) => data['external_account_id'] === this.player)
      .map(({ type }) => type);
  }

  /** What the studio got about the player, in the order of its numbers, repeats once. */
  messages(): GotMessage[] {
    const byId = new Map<string, GotMessage>();
    for (const { bytes, headers } of this.stage.receiver.received) {
      // Every body is the product's own.
      const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
      const data = (body['purchaseSucceeded'] ?? body['eventData'] ?? {}) as GotMessage['data'];
      if (data['userId'] !== this.player) continue;
      const sequence = Number(headers['service-event-sequence']);
      byId.set(String(headers['webhook-id']), { type: String(body['type']), sequence, data });
    }
    return [...byId.values()].sort((left, right) => left.sequence - right.sequence);
  }
}

const OFFERED = Object.entries(ITEMS).map(([id, item]) => ({
  id,
  price: { currency: 'USD', amount: dollars(item.cents) },
  ...('most' in item && { max_purchasable: item.most }),
}));

const CAMPAIGN = () => ({
  name: 'Model',
  points: [{ currency: 'USD', perMajorUnit: String(POINTS_PER_DOLLAR) }],
  milestones: Object.entries(MILESTONES).map(([id, points]) => ({
    ...{ id, points },
    rewards: [{ itemId: `reward-${id}`, quantity: 1, type: 'item' }],
  })),
  from: new Date(Date.now() - DAY_MS).toISOString(),
  until: new Date(Date.now() + DAY_MS).toISOString(),
  delivery: 'async_webhook',
});
