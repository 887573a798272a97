import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addHours } from '#domain/calendar';
import { readPlayerBucket } from '#domain/ids';
import { loyaltyAggregate } from '#domain/loyalty';
import { type OrderCommand, orderAggregate, quoteOrder } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { noTaxRates } from '#domain/pricing';
import type { CommandContext } from '#event-store';
import { newId, wallClock } from '#platform';
import { eventually } from '../../support/eventually.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;
const LIMIT = { limitMs: 90_000 };
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const PRICE = { amountMinor: '500', currency: 'USD' };

let world: World;
let worker: WorkerProcess;
let appId: string;

beforeAll(async () => {
  world = await World.start({ appendOnly: true });
  worker = await startWorkerProcess(world.env);
  world.onStop(() => worker.kill());
  appId = await world.createApp();
});
afterAll(() => world.stop());

function context(now: string): CommandContext {
  return {
    ...{ appId, actor: 'app', correlationId: 'request-1', environment: 'test' },
    ...{ player: PLAYER, now },
  };
}

/** A click on "pay" on the page of a new order; the worker does the rest. @returns the order's id. */
async function attemptOrder(): Promise<string> {
  const now = wallClock.now();
  const orderId = newId('ord', now, readPlayerBucket(PLAYER));
  const item = { itemId: 'gems', name: 'Gems', description: '', image: '' };
  const items = [{ ...item, quantity: 1, price: PRICE }];
  const quote = quoteOrder(items, 'USD', { regionCode: '', taxRates: noTaxRates, now });
  const until = addHours(now, 24);
  const order = {
    ...{ orderId, appId, player: PLAYER, source: 'ServicePay' as const, transactionId: '' },
    ...{ cartId: '', checkoutLinkId: `cl_${orderId}`, items, quote, regionCode: '', language: '' },
    ...{ returnUrl: '', personal: {}, createdAt: now, expiresAt: until, wallExpiresAt: until },
  };
  const click = { quote, emailMarketingOptIn: false, personal: {}, playerIsErased: false };
  const attempt = { ...click, paymentMethod: 'pm_ok', shown: null, now, wallNow: now };
  const commands: OrderCommand[] = [
    { kind: 'CreateOrder', order },
    { kind: 'AttemptOrder', ...attempt },
  ];
  for (const command of commands)
    await world.commands.execute(orderAggregate, orderId, command, context(now));
  return orderId;
}

async function loadOrder(orderId: string) {
  const { state } = await world.commands.load(orderAggregate, orderId);
  if (state.status === 'none') throw new Error(`there is no ${orderId}`);
  return state;
}

async function untilPaid(orderId: string): Promise<void> {
  const isPaid = async () => (await loadOrder(orderId)).status === 'PAID';
  await eventually(isPaid, { what: 'the payment', ...LIMIT });
}

async function refund(orderId: string): Promise<void> {
  const { paidBy } = await loadOrder(orderId);
  const now = wallClock.now();
  const command = { kind: 'RequestRefund', refundId: `ref_${orderId}`, now } as const;
  const all = { ...command, amountMinor: PRICE.amountMinor };
  await world.commands.execute(paymentAggregate, paidBy ?? '', all, context(now));
  const isRefunded = async () => (await loadOrder(orderId)).status === 'REFUNDED';
  await eventually(isRefunded, { what: 'the refund', ...LIMIT });
}

async function killAndStartAnew(): Promise<void> {
  await worker.kill();
  worker = await startWorkerProcess(world.env);
}

/** The records of each order in the player's stream, one line an event. */
async function listRecorded(): Promise<string[]> {
  const events = await world.events(`${loyaltyAggregate.category}-${PLAYER}`);
  return events.map(({ data }) => {
    // Nothing is claimed here.
    const { orderId, spent } = data as { orderId: string; spent: typeof PRICE };
    return `${orderId} ${spent.amountMinor}`;
  });
}

it(
  'what a player pays is recorded once, whenever the worker is killed, and also where Redis is lost',
  async () => {
    const orderIds: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const orderId = await attemptOrder();
      orderIds.push(orderId);
      await untilPaid(orderId);
      // Between the payment of the order and its record with the player, or right after that.
      await killAndStartAnew();
    }
    const paid = orderIds.map((orderId) => `${orderId} 500`);
    const isRecorded = async () => (await listRecorded()).length >= paid.length;
    await eventually(isRecorded, { what: 'the records', ...LIMIT });
    expect([...(await listRecorded())].sort()).toEqual([...paid].sort());

    const [first = ''] = orderIds;
    await refund(first);
    await worker.kill();
    const redis = new Redis(world.redis.url);
    await redis.flushall();
    redis.disconnect();
    worker = await startWorkerProcess(world.env);
    const isTakenOff = async () => (await listRecorded()).includes(`${first} 0`);
    await eventually(isTakenOff, { what: 'the refund with the player', ...LIMIT });
    // An event after all repeated ones shows that the repetition is over.
    const last = await attemptOrder();
    await eventually(async () => (await listRecorded()).includes(`${last} 500`), LIMIT);
    const all = [...paid, `${first} 0`, `${last} 500`];
    expect([...(await listRecorded())].sort()).toEqual(all.sort());
  },
  LIMIT_MS,
);
