import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ApiClient, backendClient, bearer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { knowPrices, putTaxRates } from '../../support/prices.js';
import { createPlan, requireOk, tokenIn } from '../../support/scenario.js';
import type { Part, RunningStandalone } from '../../support/standalone.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';
import { toInstant } from './model-dates.js';
import { REGIONS } from './model-payment.js';
import { PLANS } from './model.js';

const LIMIT_MS = 120_000;
/** An error of the API that a caller tries again: a conflict with another writer, or a part that is away. */
const isPassing = ({ status }: Answer) => status >= 500 || status === 409 || status === 429;

/** Where the runs of the model play: a standalone, and what receives the webhooks of all runs. */
export interface ModelStage {
  readonly standalone: Pick<RunningStandalone, 'baseUrl' | 'demo'>;
  readonly allAppsToken: string;
  readonly receiver: WebhookReceiver;
  /** Kills a part with -9. */
  readonly killPart?: (part: Part) => Promise<void>;
}

/** By what a player pays, and what the player says where the bank wants a confirmation. */
interface Payer {
  readonly method: string;
  readonly confirms?: boolean;
}

/** One player of an app of its own, on the product's routes. */
export class Player {
  #token = '';
  #keys = 0;
  #kill: (() => Promise<void>) | undefined;
  /** What the app's clock showed last, in ms. */
  clockAt = Date.now();

  private constructor(
    private readonly stage: ModelStage,
    readonly appId: string,
    readonly planIds: ReadonlyMap<string, string>,
    private readonly backend: ApiClient,
    private readonly operator: ApiClient,
  ) {}

  static async start(stage: ModelStage): Promise<Player> {
    const { baseUrl, demo } = stage.standalone;
    const operator = bearer(baseUrl, stage.allAppsToken);
    const app = { name: 'model', environment: 'test' };
    const { body } = requireOk(await operator.post('/manage/apps', app));
    const appId = String(body['appId']);
    const backend = backendClient({ ...demo, appId, ingressSecret: String(body['ingressSecret']) });
    const planIds = new Map<string, string>();
    for (const { code, cents, months, trialDays } of PLANS) {
      const id = await createPlan(operator, appId, {
        code,
        billingPeriodValue: String(months),
        prices: [{ currency: 'USD', amountCents: String(cents) }],
        ...(trialDays > 0 && { trialPeriodValue: String(trialDays), trialPeriodUnit: 'day' }),
      });
      planIds.set(code, id);
    }
    const rates = [
      { country: 'DE', rate: REGIONS.DE.rate, inclusive: true },
      { country: 'US', region: 'NY', rate: REGIONS['US-NY'].rate, inclusive: false },
    ];
    await knowPrices(backend, await putTaxRates(operator, appId, { rates }));
    const endpoint = { url: stage.receiver.url, eventTypes: ['*'], accept: '2xx' };
    requireOk(await operator.post(`/manage/apps/${appId}/webhook-endpoints`, endpoint));
    return new Player(stage, appId, planIds, backend, operator);
  }

  /** The next call is made while this part is killed. */
  killDuringNext(part: Part, afterMs: number): void {
    this.#kill = async () => {
      await sleep(afterMs);
      await this.stage.killPart?.(part);
    };
  }

  /** @returns the new subscription's id; undefined where the plan is not for sale, or the payment was declined. */
  async buy(plan: string, regionCode: string, payer: Payer): Promise<string | undefined> {
    const body = { plan: { code: plan }, currency: 'USD', user: { id: 'player' }, regionCode };
    const link = await this.#call(() =>
      this.backend.post('/sdk/subscriptions/checkout-links', body),
    );
    if (link.status === 400) return undefined;
    const answer = await this.complete(String(requireOk(link).body['id']), payer);
    if (answer.status === 400) return undefined;
    return String(requireOk(answer).body['subscriptionId']);
  }

  /** Pays a link, as its page does: one attempt, which is confirmed or declined where the bank asks. */
  async complete(linkId: string, { method, confirms = true }: Payer): Promise<Answer> {
    this.#keys += 1;
    const headers = { 'idempotency-key': `model-${this.#keys}` };
    const path = `/checkout/${linkId}/complete`;
    return this.#call(async () => {
      const answer = await this.backend.post(path, { paymentMethod: method }, headers);
      const { status, challengeUrl } = answer.body;
      if (status === 'challenge') await decideAtBank(String(challengeUrl), confirms);
      // A challenge is no answer that stands: the same call then gets the outcome.
      return answer;
    });
  }

  async command(path: string, body: object = {}): Promise<Answer> {
    this.#keys += 1;
    const headers = { 'idempotency-key': `model-${this.#keys}` };
    return this.#call(() => this.backend.post(path, body, headers));
  }

  /** A command of the operator for this app. */
  async operate(path: string, body: object, method = 'POST'): Promise<Answer> {
    this.#keys += 1;
    const headers = { 'idempotency-key': `model-${this.#keys}` };
    return this.#call(() =>
      this.operator.send(method, `/manage/apps/${this.appId}/${path}`, { body, headers }),
    );
  }

  async advance(to: number): Promise<void> {
    const path = `/manage/apps/${this.appId}/test-clock/advance`;
    // At its bound an advance answers how far it came, and the same call goes on.
    await eventually(
      async () => {
        const answer = await this.#call(() => this.operator.post(path, { to: toInstant(to) }));
        return Date.parse(String(requireOk(answer).body['now'])) >= to;
      },
      { what: `the clock at ${toInstant(to)}`, limitMs: LIMIT_MS },
    );
    this.clockAt = to;
  }

  /** Reads what its own writes have left. */
  async read(path: string): Promise<Record<string, unknown>> {
    const headers = { 'x-consistency-token': this.#token };
    return requireOk(await this.#call(() => this.backend.get(path, { headers }))).body;
  }

  /** The messages of a thing as they were numbered, each once: delivery is at least once. */
  messages(id: string): { type: string; sequence: number }[] {
    const messages = new Map<unknown, { type: string; sequence: number }>();
    for (const { headers, type } of this.stage.receiver.sentFor(id)) {
      const sequence = Number(headers['service-event-sequence']);
      messages.set(headers['webhook-id'], { type, sequence });
    }
    return [...messages.values()].sort((a, b) => a.sequence - b.sequence);
  }

  /** Calls until there is an answer that stands. */
  async #call(call: () => Promise<Answer>): Promise<Answer> {
    const answer = await this.#persist(async () => {
      const tried = await call();
      if (isPassing(tried) || tried.status === 202)
        throw new Error(`${tried.status}: ${tried.text}`);
      return tried;
    });
    const token = tokenIn(answer);
    if (token !== '') this.#token = token;
    return answer;
  }

  /** Calls again while it fails, as a client that knows what it does; the part that is to die dies meanwhile. */
  async #persist<T>(call: () => Promise<T>): Promise<T> {
    const killed = this.#kill?.();
    this.#kill = undefined;
    const endsAt = performance.now() + LIMIT_MS;
    for (;;) {
      try {
        const answer = await call();
        await killed;
        return answer;
      } catch (error) {
        if (performance.now() > endsAt) throw error;
        await sleep(50);
      }
    }
  }
}

/** Sends the form of the bank's page. */
async function decideAtBank(challengeUrl: string, confirms: boolean): Promise<void> {
  const body = new URLSearchParams({ decision: confirms ? 'accept' : 'decline' });
  await fetch(challengeUrl, { method: 'POST', body, redirect: 'manual' });
}
