import { strictEqual } from 'node:assert/strict';
import type { Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { requireOk, seeing } from '../../support/scenario.js';
import { Calls } from './calls.js';
import { toInstant } from './model-dates.js';
import { makeStudioApp, type ModelStage, type StudioApp } from './studio-app.js';

const LIMIT_MS = 120_000;

/** The player's card, and the player's decision where the bank wants a confirmation. */
interface Payer {
  readonly method: string;
  readonly confirms?: boolean;
  /** The page's amount and moment; nothing where the player has seen none. */
  readonly shown?: { readonly amountCents: string; readonly effectiveAt: string } | undefined;
}

/** A webhook's data about a payment. */
export interface SentOfPayment {
  readonly type: string;
  readonly sequence: number;
  readonly total: unknown;
  readonly tax: unknown;
  readonly reason: unknown;
}

/** One player of an app of its own, on the product's routes. */
export class Player {
  #keys = 0;
  /** The last time on the app's clock, in ms. */
  clockAt = Date.now();

  private constructor(
    private readonly stage: ModelStage,
    private readonly app: StudioApp,
    readonly calls: Calls,
  ) {}

  static async start(stage: ModelStage): Promise<Player> {
    return new Player(stage, await makeStudioApp(stage), new Calls(stage));
  }

  get appId(): string {
    return this.app.appId;
  }

  get planIds(): ReadonlyMap<string, string> {
    return this.app.planIds;
  }

  /** How the studio knows the player: webhooks say so, too. */
  get account(): string {
    return `player-of-${this.appId}`;
  }

  /** @returns the id of a new checkout link; undefined where the plan is not for sale. */
  async makeLink(plan: string, regionCode: string): Promise<string | undefined> {
    const user = { id: this.account };
    const body = { plan: { code: plan }, currency: 'USD', user, regionCode };
    const link = await this.calls.call(() =>
      this.app.backend.post('/sdk/subscriptions/checkout-links', body),
    );
    return link.status === 400 ? undefined : String(requireOk(link).body['id']);
  }

  /** Pays a link, as its page does: one attempt, which is confirmed or declined where the bank asks. */
  async complete(linkId: string, { method, confirms = true, shown }: Payer): Promise<Answer> {
    const headers = this.#newKey();
    const path = `/checkout/${linkId}/complete`;
    const agreed = shown && { amountCents: shown.amountCents, quotedAt: shown.effectiveAt };
    const body = { paymentMethod: method, ...agreed };
    return this.calls.call(async () => {
      const answer = await this.app.backend.post(path, body, headers);
      const { status, challengeUrl } = answer.body;
      if (status === 'challenge') await decideAtBank(String(challengeUrl), confirms);
      // A challenge is no answer that stands: the same call then gets the outcome.
      return answer;
    });
  }

  /** A first attempt on a link whose gateway does not answer: the call would wait for it, and its page tells. */
  async beginPayment(linkId: string, method: string): Promise<void> {
    const headers = this.#newKey();
    const isBegun = async () => {
      const { text } = await this.calls.call(() => this.app.backend.get(`/checkout/${linkId}`));
      if (!text.includes('data-state="open"')) return true;
      // Whichever part dies, the same key is the same attempt.
      const body = { paymentMethod: method };
      this.app.backend.post(`/checkout/${linkId}/complete`, body, headers).catch(() => undefined);
      return false;
    };
    await eventually(isBegun, { what: `an attempt of ${linkId}`, firstPollMs: 500 });
  }

  /** A first attempt on a link, which waits for the player at the bank. @returns the address of that. */
  async beginAtBank(linkId: string, method: string): Promise<string> {
    const headers = this.#newKey();
    const path = `/checkout/${linkId}/complete`;
    const complete = async () => this.app.backend.post(path, { paymentMethod: method }, headers);
    const { text, body } = await this.calls.call(complete, () => true);
    strictEqual(body['status'], 'challenge', text);
    return String(body['challengeUrl']);
  }

  /** Resolves once the bank has the decision, and the checkout the outcome. */
  async decideAtBank(bankUrl: string, confirms: boolean): Promise<void> {
    const decision = confirms ? 'accept' : 'decline';
    const { pathname } = new URL(bankUrl);
    const headers = { accept: 'application/json' };
    const decide = async () => this.app.backend.post(pathname, { decision }, headers);
    strictEqual((await this.calls.call(decide)).status, 204, 'at the bank');
  }

  async command(path: string, body: object = {}): Promise<Answer> {
    const headers = this.#newKey();
    return this.calls.call(() => this.app.backend.post(path, body, headers));
  }

  /** A command of the operator for this app, or to the app itself. */
  async operate(below: string, body: object, method = 'POST'): Promise<Answer> {
    const path = ['/manage/apps', this.app.appId, ...(below === '' ? [] : [below])].join('/');
    const headers = this.#newKey();
    return this.calls.call(() => this.app.operator.send(method, path, { body, headers }));
  }

  async advance(to: number): Promise<void> {
    const path = `/manage/apps/${this.app.appId}/test-clock/advance`;
    // At its bound an advance answers how far it came, and the same call goes on.
    await eventually(
      async () => {
        const answer = await this.calls.call(() =>
          this.app.operator.post(path, { to: toInstant(to) }),
        );
        return Date.parse(String(requireOk(answer).body['now'])) >= to;
      },
      { what: `the clock at ${toInstant(to)}`, limitMs: LIMIT_MS },
    );
    this.clockAt = to;
  }

  /** Reads with its own writes. */
  async read(path: string): Promise<Record<string, unknown>> {
    return requireOk(
      await this.calls.call(() => this.app.backend.get(path, seeing(this.calls.token))),
    ).body;
  }

  /** All payments of a subscription, newest first. */
  async listPayments(subscriptionId: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    let pageToken = '';
    do {
      const path = `/sdk/subscriptions/${subscriptionId}/payments?limit=100&pageToken=${pageToken}`;
      const page = await this.read(path);
      // The page is the API's own answer to this path.
      all.push(...(page['payments'] as Record<string, unknown>[]));
      pageToken = encodeURIComponent(String(page['nextPageToken']));
    } while (pageToken !== '');
    return all;
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

  /** The webhooks about each payment of the player that belongs to no subscription. */
  lonePayments(): SentOfPayment[][] {
    const byPayment = new Map<unknown, Map<unknown, SentOfPayment>>();
    for (const { headers, type, data } of this.stage.receiver.received) {
      const isLone = data['external_account_id'] === this.account && type.startsWith('payment.');
      if (!isLone || data['subscription_id'] !== undefined) continue;
      const sequence = Number(headers['service-event-sequence']);
      const { total, tax, reason } = data;
      const sent = byPayment.get(data['id']) ?? new Map<unknown, SentOfPayment>();
      byPayment.set(
        data['id'],
        sent.set(headers['webhook-id'], { type, sequence, total, tax, reason }),
      );
    }
    return [...byPayment.values()].map((sent) =>
      [...sent.values()].sort((a, b) => a.sequence - b.sequence),
    );
  }

  #newKey() {
    this.#keys += 1;
    return { 'idempotency-key': `model-${this.#keys}` };
  }
}

/** Sends the form of the bank's page. */
async function decideAtBank(challengeUrl: string, confirms: boolean): Promise<void> {
  const body = new URLSearchParams({ decision: confirms ? 'accept' : 'decline' });
  await fetch(challengeUrl, { method: 'POST', body, redirect: 'manual' });
}
