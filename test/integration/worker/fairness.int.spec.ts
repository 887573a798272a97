import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentGateways } from '#gateway';
import { GATEWAYS } from '../../../apps/worker/src/tokens.js';
import { eventually } from '../../support/eventually.js';
import { wrapGateways } from '../../support/wrap-gateways.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

/** More than a partition has places; all of them are one partition's, as one player's. */
const FLOOD = 24;
const PARTITIONS = 4;
/** As many as an app may have. */
const ENDPOINTS = 32;
/** Below the limits that would end an attempt at a slow gateway or a dead endpoint. */
const LIMIT_MS = 12_000;

let world: World;
let worker: RunningWorker;
let receiver: WebhookReceiver;
let quiet: string;

beforeAll(async () => {
  world = await World.start({ partitions: PARTITIONS });
  worker = await world.startWorker();
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  quiet = await world.createApp();
  await world.addEndpoint(quiet, receiver.url);
});
afterAll(() => world.stop());

/** Charges of this method are answered only when they are let go. */
function holdCharges(paymentMethod: string) {
  const [partition] = worker.partitions();
  const gateways = partition?.get<PaymentGateways>(GATEWAYS);
  if (gateways === undefined) throw new Error('there are no gateways');
  const held: (() => void)[] = [];
  let mostAtOnce = 0;
  const unwrap = wrapGateways(gateways, (gateway) => ({
    ...gateway,
    charge: async (asked) => {
      if (asked.paymentMethod === paymentMethod) {
        await new Promise<void>((resolve) => {
          mostAtOnce = Math.max(mostAtOnce, held.push(resolve));
        });
      }
      return gateway.charge(asked);
    },
  }));
  return {
    mostAtOnce: () => mostAtOnce,
    letGo: () => {
      unwrap();
      for (const resolve of held) resolve();
    },
  };
}

/** Takes connections and never answers. */
async function startDeadEndpoint(): Promise<{ url: string; attempts: () => number }> {
  let attempts = 0;
  const server = createServer(() => void (attempts += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.onStop(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/dead`, attempts: () => attempts };
}

const flood = (appId: string, paymentMethod: string) =>
  Promise.all(Array.from({ length: FLOOD }, () => world.attemptCheckout(appId, { paymentMethod })));

/** From the click to the last webhook. @returns how long it took, in ms. */
async function buyOnce(): Promise<number> {
  const startedAtMs = performance.now();
  const { subscriptionId } = await world.attemptCheckout(quiet);
  await receiver.until((received) =>
    received.some(
      ({ type, data }) => type === 'subscription.created' && data['id'] === subscriptionId,
    ),
  );
  return performance.now() - startedAtMs;
}

describe('an app that buys once, beside one that floods', () => {
  it('is charged at once while the gateway leaves the other one waiting', async () => {
    const flooding = await world.createApp();
    const held = holdCharges('pm_renewal_declines');
    const attempts = await flood(flooding, 'pm_renewal_declines');
    await eventually(() => held.mostAtOnce() > 0, { what: 'the charges that wait' });
    expect(await buyOnce()).toBeLessThan(LIMIT_MS);
    held.letGo();
    // A charge that had to wait is made all the same, as soon as there is room.
    const last = attempts.at(-1)?.linkId ?? '';
    await eventually(async () => (await world.link(last)).status === 'completed', {
      what: 'the last checkout of the flood',
    });
  });

  it('is sent its webhooks at once while all endpoints of the other one hang', async () => {
    const flooding = await world.createApp();
    const dead = await startDeadEndpoint();
    for (let n = 0; n < ENDPOINTS; n += 1) await world.addEndpoint(flooding, dead.url);
    await flood(flooding, 'pm_ok');
    await eventually(() => dead.attempts() > 0, { what: 'the attempts that hang' });
    expect(await buyOnce()).toBeLessThan(LIMIT_MS);
  });
});
