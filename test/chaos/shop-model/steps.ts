import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type fc from 'fast-check';
import type { Answer } from '../../support/api-client.js';
import { errorReason } from '../../support/errors.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import {
  type ItemId,
  ITEMS,
  type MilestoneId,
  MILESTONES,
  type ModelOrder,
  type ModelShop,
  total,
} from './model.js';
import type { Shopper } from './shopper.js';

/** The player on the product's routes. */
export interface Real {
  readonly shopper: Shopper;
}

export type Step = fc.AsyncCommand<ModelShop, Real>;

const DECLINE = { method: 'pm_decline_insufficient_funds', reason: 'insufficient_funds' } as const;

export const add = (id: ItemId, quantity: number): Step =>
  step(`add ${quantity} ${id}`, async (model, { shopper }) => {
    const answer = await shopper.add(id, quantity);
    if (ITEMS[id].cents === 0) {
      refused(answer, 'ITEM_UNAVAILABLE');
      return;
    }
    const wanted = (model.cart[id] ?? 0) + quantity;
    if (wanted > model.left(id)) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    requireOk(answer);
    model.setCart(id, wanted);
  });

export const set = (id: ItemId, quantity: number): Step =>
  step(
    `set ${quantity} ${id}`,
    async (model, { shopper }) => {
      const answer = await shopper.set(id, quantity);
      if (quantity > model.left(id)) {
        refused(answer, 'QUANTITY_EXCEEDED');
        return;
      }
      requireOk(answer);
      model.setCart(id, quantity);
    },
    // The same number again is no change.
    ({ cart }) => cart[id] !== undefined && cart[id] !== quantity,
  );

export const checkOut = (): Step =>
  step(
    'check out',
    async (model, { shopper }) => {
      const { body } = requireOk(await shopper.checkOut());
      const { orderId, url } = body;
      model.addOrder(String(orderId), String(url), model.cart, model.cartNumber);
    },
    // Carts whose items are no longer to be had are tested by themselves.
    (model) => Object.keys(model.cart).length > 0 && !model.exceeds(model.cart),
  );

export const buyNow = (id: ItemId, quantity: number): Step =>
  step(`buy ${quantity} ${id}`, async (model, { shopper }) => {
    const answer = await shopper.buyNow(id, quantity);
    if (ITEMS[id].cents === 0) {
      refused(answer, 'ITEM_UNAVAILABLE');
      return;
    }
    if (quantity > model.left(id)) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    const { orderId, url } = requireOk(answer).body;
    model.addOrder(String(orderId), String(url), { [id]: quantity }, null);
  });

export const pay = (which: number, isDeclined: boolean): Step =>
  onOrder(isDeclined ? 'decline' : 'pay', which, ['OPEN'], async (order, model, { shopper }) => {
    if (isDeclined && order.wasDeclined) return;
    const answer = await shopper.pay(order.url, isDeclined ? DECLINE.method : 'pm_ok');
    if (model.exceeds(order.items)) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    if (isDeclined) {
      refused(answer, 'PAYMENT_DECLINED');
      model.decline(order, DECLINE.reason);
      return;
    }
    deepStrictEqual(requireOk(answer).body, { orderId: order.orderId, status: 'PAID' });
    model.pay(order);
  });

export const cancel = (which: number): Step =>
  onOrder('cancel', which, ['OPEN'], async (order, model, { shopper }) => {
    strictEqual((await shopper.cancel(order.url)).status, 303);
    model.cancel(order);
  });

export const refund = (which: number, percent: number): Step =>
  onOrder(
    `refund ${percent} % of`,
    which,
    ['PAID', 'PARTIALLY_REFUNDED'],
    async (order, model, { shopper }) => {
      const left = total(order) - order.refundedCents;
      const cents = Math.max(1, Math.floor((left * percent) / 100));
      requireOk(await shopper.refund(order.orderId, cents));
      model.refund(order, cents);
    },
  );

export const claim = (id: ItemId): Step =>
  step(`claim ${id}`, async (model, { shopper }) => {
    const answer = await shopper.claim(id);
    if (ITEMS[id].cents > 0) {
      refused(answer, 'ITEM_UNAVAILABLE');
      return;
    }
    if (model.left(id) < 1) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    strictEqual(requireOk(answer).body['itemId'], id);
    model.claimed.push(id);
  });

export const claimMilestone = (id: MilestoneId): Step =>
  step(`claim milestone ${id}`, async (model, { shopper }) => {
    const answer = await shopper.claimMilestone(id);
    const isClaimed = model.milestones.includes(id);
    if (!isClaimed && model.points < MILESTONES[id]) {
      refused(answer, 'MILESTONE_LOCKED');
      return;
    }
    requireOk(answer);
    if (!isClaimed) model.milestones.push(id);
  });

function step(
  name: string,
  run: (model: ModelShop, real: Real) => Promise<void>,
  check: (model: Readonly<ModelShop>) => boolean = () => true,
): Step {
  return {
    check,
    run: async (model, real) => {
      model.steps += 1;
      await run(model, real);
      await compare(model, real.shopper);
    },
    toString: () => name,
  };
}

/** A step on one of the player's orders in these states, counted from the newest. */
function onOrder(
  name: string,
  which: number,
  states: readonly ModelOrder['status'][],
  run: (order: ModelOrder, model: ModelShop, real: Real) => Promise<void>,
): Step {
  const choose = ({ orders }: Readonly<ModelShop>) => {
    const among = orders.filter(({ status }) => states.includes(status));
    return among.at(-1 - (which % Math.max(1, among.length)));
  };
  return step(
    `${name} order ${which}`,
    async (model, real) => {
      const order = choose(model);
      if (order !== undefined) await run(order, model, real);
    },
    (model) => choose(model) !== undefined,
  );
}

function refused(answer: Answer, reason: string): void {
  strictEqual(errorReason(answer), reason);
}
