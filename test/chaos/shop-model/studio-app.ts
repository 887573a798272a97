import { strictEqual } from 'node:assert/strict';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { knowPrices, putTaxRates } from '../../support/prices.js';
import { requireOk } from '../../support/scenario.js';
import { catalogSettings, type CatalogServer } from '../../support/shop-catalog.js';
import { type ChaosStage, makeModelApp } from '../chaos-stage.js';
import { CAMPAIGNS, type Currency, ITEMS, type ItemId, TAX_PERCENT } from './goods.js';
import { describeCampaign, describeItems } from './offers.js';

const HOUR_MS = 3_600_000;

/** The stage of the model's runs, with a studio's catalog. */
export interface ShopStage extends ChaosStage {
  readonly catalog: CatalogServer;
}

/** An app of its own, as its studio and its operator see it. */
export class StudioApp {
  #clockAt = Date.now();

  private constructor(
    readonly backend: ApiClient,
    private readonly operator: ApiClient,
    private readonly path: string,
    /** In the order of the model's campaigns. */
    readonly campaignIds: readonly string[],
    private readonly catalog: CatalogServer,
  ) {}

  static async make(stage: ShopStage) {
    const { catalog } = stage;
    const { appId, path, backend, operator } = await makeModelApp(stage);
    const body = { catalog: catalogSettings(catalog) };
    requireOk(await operator.send('PATCH', path, { body }));
    const rates = [{ country: 'US', rate: (TAX_PERCENT / 100).toFixed(2), inclusive: false }];
    await knowPrices(backend, await putTaxRates(operator, appId, { rates }));
    const ids: string[] = [];
    for (const campaign of CAMPAIGNS) {
      const answer = await operator.post(`${path}/loyalty-campaigns`, describeCampaign(campaign));
      ids.push(String(requireOk(answer).body['id']));
    }
    catalog.offer(...describeItems((id) => ITEMS[id].minor));
    return new StudioApp(backend, operator, path, ids, catalog);
  }

  /** The items of its catalog from now on; a price of null is that of an absent item. */
  offer(price: (id: ItemId) => number | null, currency: (id: ItemId) => Currency): void {
    this.catalog.offer(...describeItems(price, currency));
  }

  async refund(orderId: string, minor: number): Promise<Answer> {
    const path = `/sdk/server/payments/${await this.findPaymentId(orderId)}/refunds`;
    return this.backend.post(path, { amountCents: String(minor) });
  }

  async dispute(orderId: string, minor: number): Promise<Answer> {
    const paymentId = await this.findPaymentId(orderId);
    const body = { paymentId, amountCents: String(minor) };
    return this.operator.post(`${this.path}/sandbox/disputes`, body);
  }

  closeDispute(disputeId: string, won: boolean): Promise<Answer> {
    return this.operator.post(`${this.path}/sandbox/disputes/${disputeId}/close`, { won });
  }

  async findPaymentId(orderId: string): Promise<string> {
    return String((await this.readOrder(orderId))['paymentId']);
  }

  async readOrder(orderId: string): Promise<Record<string, unknown>> {
    return requireOk(await this.backend.get(`/sdk/server/orders/${orderId}`)).body;
  }

  async readPayment(paymentId: string): Promise<Record<string, unknown>> {
    return requireOk(await this.backend.get(`/sdk/server/payments/${paymentId}`)).body;
  }

  /** Lets the app's clock go on. */
  async wait(hours: number): Promise<void> {
    this.#clockAt = Math.max(this.#clockAt, await this.#readClock()) + hours * HOUR_MS;
    const to = new Date(this.#clockAt).toISOString();
    // At its bound an advance answers how far it came, and the same call goes on.
    await eventually(
      async () => {
        const answer = await this.operator.post(`${this.path}/test-clock/advance`, { to });
        return Date.parse(String(requireOk(answer).body['now'])) >= this.#clockAt;
      },
      { what: `the clock at ${to}` },
    );
  }

  async #readClock(): Promise<number> {
    const { body, status } = await this.operator.get(`${this.path}/test-clock`);
    strictEqual(status, 200, 'test clock');
    return Date.parse(String(body['now']));
  }
}
