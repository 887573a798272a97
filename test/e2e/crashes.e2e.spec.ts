import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, backendClient, bearer, operatorClient } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { auditBooks } from '../chaos/billing-model/books.js';
import { ACTS } from '../chaos/kills/acts.js';
import { GateFile } from '../chaos/kills/gate.js';
import { playKilled } from '../chaos/kills/play.js';
import { grantOperatorToken } from '../support/operators.js';
import {
  advanceTo,
  buy,
  checkoutLink,
  createPlan,
  requireOk,
  seeing,
} from '../support/scenario.js';
import {
  type Demo,
  type Part,
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** One victim of each kind: `npm run chaos -- kills` ends each at each step. */
const KILLS: readonly (readonly [act: string, victim: Part, program: Part, step: string])[] = [
  ['purchase', 'worker', 'worker', 'payment.captured.v1'],
  ['renewal', 'redis', 'worker', 'sandbox.charged.v1'],
  ['upgrade', 'event-store', 'worker', 'subscription.plan_changed.v1'],
  ['refund', 'api', 'api', 'payment.refund_requested.v1'],
];

describe('when processes die in the middle of it', () => {
  const folder = temporaryDataDir();
  let standalone: RunningStandalone;
  let receiver: WebhookReceiver;
  let backend: ApiClient;
  let operator: ApiClient;
  const gate = new GateFile(folder.dataDir);
  let allAppsToken: string;
  let trial: Awaited<ReturnType<typeof sellInProduction>>;

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    standalone = await startStandalone(folder.dataDir, env);
    backend = backendClient(standalone.demo);
    operator = operatorClient(standalone.demo);
  };

  beforeAll(async () => {
    // A trial run, which the starts that follow end.
    await start({ SANDBOX_IN_PRODUCTION_APPS: 'trial', ...gate.env });
    allAppsToken = (await grantOperatorToken(standalone, ['admin'], ['*'])).token;
    trial = await sellInProduction(standalone);
    receiver = await startWebhookReceiver();
    const path = `/manage/apps/${standalone.demo.appId}/webhook-endpoints`;
    await operator.post(path, { url: receiver.url });
    await createPlan(operator, standalone.demo.appId, { code: 'gold' });
  });

  afterAll(async () => {
    await receiver.close();
    await standalone.stop();
    folder.remove();
  });

  /** The types told of a subscription, each message once: delivery is at least once. */
  const typesSentFor = (subscriptionId: string) => {
    const seen = new Set<unknown>();
    return receiver
      .sentFor(subscriptionId)
      .filter(({ headers }) => !seen.has(headers['webhook-id']) && seen.add(headers['webhook-id']))
      .map(({ type }) => type);
  };

  it.each(KILLS)(
    '%s: the %s dies when the %s is about to send %s, and all is as if it had not',
    async (name, victim, program, text) => {
      const act = ACTS.find((each) => each.name === name);
      if (act === undefined) throw new Error(`there is no act ${name}`);
      const stage = { standalone, allAppsToken, receiver, gate };
      await playKilled(act, { step: { program, text }, victim }, stage);
    },
  );

  it('a payment that is to be confirmed survives the worker, before and after that', async () => {
    const { id } = await checkoutLink(backend, { plan: 'gold', player: 'player-confirms' });
    const click = () =>
      backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_authentication_required' });
    const until = async (field: string) => {
      let found: unknown;
      await eventually(async () => (found = (await click()).body[field]) !== undefined);
      return String(found);
    };
    const clicked = click();
    await standalone.killPart('worker');
    await clicked;
    const challengeUrl = await until('challengeUrl');
    // The first one may have answered before it died, and the next one may not be there yet.
    const isThere = async () => standalone.findPid('worker').then(Boolean, () => false);
    await eventually(isThere, { what: 'a worker' });
    await standalone.killPart('worker');
    const body = new URLSearchParams({ decision: 'accept' });
    await fetch(challengeUrl, { method: 'POST', body, redirect: 'manual' });
    const subscriptionId = await until('subscriptionId');
    await receiver.until(() => typesSentFor(subscriptionId).length >= 2);
    expect(typesSentFor(subscriptionId)).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('a renewal survives the death of everything at once', async () => {
    const { subscriptionId, token } = await buy(backend, { plan: 'gold', player: 'player-all' });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    const bought = await backend.get(path, seeing(token));
    const due = String(bought.body['current_period_end']);
    const advancing = tolerant(advanceTo(operator, standalone.demo.appId, due));
    await standalone.kill();
    await advancing;
    await start();
    const again = await advanceTo(operator, standalone.demo.appId, due);

    const renewed = await backend.get(path, seeing(again));
    expect(renewed.body).toMatchObject({ status: 'active' });
    expect(String(renewed.body['current_period_end']) > due).toBe(true);
    const { body } = await backend.get(`${path}/payments`);
    expect(body['payments']).toHaveLength(2);
    await receiver.until(() => typesSentFor(subscriptionId).length >= 4);
    expect(typesSentFor(subscriptionId).slice(2)).toEqual([
      'payment.succeeded',
      'subscription.payment_succeeded',
    ]);
  });

  it('money is conserved: the books of the gateway and the ledger agree after all of it', async () => {
    const { findings, keptMinor } = await auditBooks(await standalone.eventStoreUrl());
    expect(findings).toEqual([]);
    expect(Number(keptMinor)).toBeGreaterThan(0);
  });

  it('a production app was paid with test cards in a trial run, and is not after it', async () => {
    const { app, sold, open } = trial;
    // A start may pick another port.
    const studio = backendClient({ ...standalone.demo, ...app });
    expect(sold.body).toMatchObject({ status: 'active' });
    const complete = (linkId: string) =>
      studio.post(`/checkout/${linkId}/complete`, { paymentMethod: 'pm_ok' });
    const refusals = [
      await complete(open.id),
      await studio.post('/sdk/subscriptions/checkout-links', linkBody('player-late')),
    ];
    for (const refused of refusals) {
      expect(refusal(refused)).toEqual([...[400, 9, 'GATEWAY_NOT_CONFIGURED']]);
    }
    const page = await studio.get(`/checkout/${open.id}`);
    expect(page.text).toContain('Nothing can be paid here yet');
    expect(page.text).not.toContain('<form');
    // The start of the trial run was logged.
    const log = await readFile(join(folder.dataDir, 'logs', 'api.log'), 'utf8');
    expect(log).toContain('trial run: production apps, too, can be paid with test cards');
    // A sold subscription stays sold.
    expect((await complete(trial.paid.id)).body).toEqual(sold.body);
  });

  it('the id of a checkout link, which is a credential, is in no log, whatever fails on the way', async () => {
    const links: { id: string; body: object }[] = [];
    for (const paymentMethod of ['pm_decline_fraud', 'pm_ok', 'pm_unavailable', 'no_method']) {
      const { id } = await checkoutLink(backend, { plan: 'gold', player: 'player-log' });
      links.push({ id, body: { paymentMethod } });
    }
    const complete = () =>
      Promise.all(links.map(({ id, body }) => backend.post(`/checkout/${id}/complete`, body)));
    expect((await complete()).map(({ status }) => status)).toEqual([400, 200, 202, 400]);
    await standalone.killPart('event-store');
    // Some fail while the store is away, some are answered when it is back.
    expect((await complete()).map(({ status }) => status)).not.toContain(500);
    const folderOfLogs = join(folder.dataDir, 'logs');
    const files = (await readdir(folderOfLogs)).filter((name) => name.endsWith('.log'));
    expect(files.length).toBeGreaterThanOrEqual(4);
    const texts = await Promise.all(
      files.map((name) => readFile(join(folderOfLogs, name), 'utf8')),
    );
    expect(texts.join('')).not.toBe('');
    for (const { id } of links) {
      for (const text of texts) expect(text).not.toContain(id.slice(-16));
    }
    expect((await backend.get('/metrics')).text).not.toContain('cl_');
  });

  it.each(['event-store', 'redis'] as const)(
    'with a %s that does not answer, requests get 503, readiness is red, and all recovers by itself',
    async (part) => {
      const { subscriptionId, token } = await buy(backend, { plan: 'gold', player: 'p' });
      const path = `/sdk/subscriptions/${subscriptionId}`;
      await backend.get(path, seeing(token));
      const resume = await standalone.pausePart(part);
      try {
        const refused =
          part === 'redis'
            ? await backend.get(path)
            : await backend.post(`${path}/cancel`, { cancel_at_period_end: true });
        expect(refusal(refused)).toEqual([503, 14, 'UNAVAILABLE']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        const ready = await backend.get('/readyz');
        expect(refusal(ready)).toEqual([503, 14, 'NOT_READY']);
        expect((await backend.get('/healthz')).status).toBe(200);
      } finally {
        resume();
      }
      await eventually(async () => (await backend.get('/readyz')).status === 200, {
        what: 'readiness',
      });
      const after = await backend.get(path);
      expect(after.body).toMatchObject({ id: subscriptionId });
      const next = await buy(backend, { plan: 'gold', player: 'q' });
      expect(next.subscriptionId).not.toBe('');
    },
  );
});

const linkBody = (player: string) => ({
  plan: { code: 'gold' },
  currency: 'USD',
  user: { id: player },
});

/** A production app that sells one plan: one link is paid, and another one is left open. */
async function sellInProduction(standalone: RunningStandalone) {
  const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
  const operator = bearer(standalone.baseUrl, token);
  const wanted = { name: 'Live', environment: 'production' };
  const app = requireOk(await operator.post('/manage/apps', wanted)).body as unknown as Pick<
    Demo,
    'appId' | 'ingressSecret'
  >;
  const studio = backendClient({ ...standalone.demo, ...app });
  await createPlan(operator, app.appId, { code: 'gold' });
  const [paid, open] = [
    await checkoutLink(studio, { plan: 'gold', player: 'player-1' }),
    await checkoutLink(studio, { plan: 'gold', player: 'player-2' }),
  ];
  const body = { paymentMethod: 'pm_ok' };
  return { app, paid, open, sold: await studio.post(`/checkout/${paid.id}/complete`, body) };
}

/** The result of a call, or undefined without an answer: processes are being killed meanwhile. */
async function tolerant<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch {
    return undefined;
  }
}
