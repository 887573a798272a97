import { randomUUID } from 'node:crypto';
import { type Answer, anonymous } from '../../support/api-client.js';
import { requireOk } from '../../support/scenario.js';
import { openShop, type ShopClient } from '../../support/shop-client.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';
import { type Currency, type ItemId, toMajor } from './goods.js';
import type { ModelLine } from './model-order.js';
import { type ShopStage, StudioApp } from './studio-app.js';

/** A message that the studio got about the player. */
export interface GotMessage {
  readonly type: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One player of an app of its own, in the shop and on the pages of payment links. */
export class Shopper {
  readonly #links = new Map<string, object>();

  private constructor(
    readonly studio: StudioApp,
    private readonly receiver: WebhookReceiver,
    private readonly shop: ShopClient,
    private readonly player: string,
  ) {}

  static async start(stage: ShopStage): Promise<Shopper> {
    const studio = await StudioApp.make(stage);
    const player = `shopper-${randomUUID()}`;
    const shop = await openShop(studio.backend, player, { regionCode: 'US' });
    return new Shopper(studio, stage.receiver, shop, player);
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

  buyNow(itemId: string, quantity: number): Promise<Answer> {
    return this.shop.post(`/shop/items/${itemId}/buy`, { quantity });
  }

  claim(itemId: ItemId): Promise<Answer> {
    return this.shop.post(`/shop/items/${itemId}/claim`, { claimId: randomUUID() });
  }

  claimMilestone(campaign: number, milestoneId: string): Promise<Answer> {
    const campaignId = this.studio.campaignIds[campaign] ?? '';
    return this.shop.post(`/shop/milestones/${campaignId}/${milestoneId}/claim`);
  }

  /** A payment link of the studio's backend; its messages are found by the studio's texts of it and of its items. */
  makeLink(key: string, currency: Currency, items: readonly ModelLine[]): Promise<Answer> {
    const metadata = { order: key };
    this.#links.set(key, {
      ...{ transactionId: key, currency, regionCode: 'US', metadata, user: { id: this.player } },
      items: items.map(({ id, quantity, minor }) => ({
        ...{ id, name: id, quantity, price: toMajor(minor, currency), metadata },
      })),
    });
    return this.repeatLink(key);
  }

  /** The same request again, or one that is changed. */
  repeatLink(key: string, changes: object = {}): Promise<Answer> {
    const body = { ...this.#links.get(key), ...changes };
    return this.studio.backend.post('/sdk/server/checkout-links', body);
  }

  open(url: string): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    return anonymous(origin).get(pathname, { headers: { 'sec-fetch-dest': 'document' } });
  }

  pay(url: string, paymentMethod?: string): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    const body = paymentMethod === undefined ? {} : { paymentMethod };
    return anonymous(origin).post(`${pathname}/complete`, body);
  }

  cancel(url: string): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    return anonymous(origin).post(`${pathname}/cancel`, {});
  }

  /** Sends the form of the bank's page. */
  async decide(challengeUrl: string, accepts: boolean): Promise<number> {
    const body = new URLSearchParams({ decision: accepts ? 'accept' : 'decline' });
    return (await fetch(challengeUrl, { method: 'POST', body, redirect: 'manual' })).status;
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return requireOk(await this.shop.get(path)).body;
  }

  /** The studio's messages about the player, in the order of their numbers, repeats once. */
  messages(): GotMessage[] {
    const byId = new Map<string, GotMessage>();
    for (const { bytes, headers, type } of this.receiver.received) {
      // Every body is the product's own.
      const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
      const data = (body['purchaseSucceeded'] ??
        body['eventData'] ??
        body['data'] ??
        {}) as GotMessage['data'];
      if ((data['userId'] ?? data['external_account_id']) !== this.player) continue;
      const sequence = Number(headers['service-event-sequence']);
      byId.set(String(headers['webhook-id']), { type, sequence, data });
    }
    return [...byId.values()].sort((left, right) => left.sequence - right.sequence);
  }
}
