import { strictEqual, deepStrictEqual } from 'node:assert/strict';
import { errorReason } from '../../support/errors.js';
import { compare } from './compare.js';
import { ONCE } from './model.js';
import { type Order, own } from './purchase-steps.js';
import type { Step } from './step.js';

/**
 * Two links of a plan that a player has once are paid at once: one buys, and the other is refused, as is a third
 * (rules/lifecycle 15).
 */
export const buyTwiceAtOnce = (order: Omit<Order, 'plan'>): Step => ({
  check: () => true,
  run: async (model, { player }) => {
    const links = [
      await player.makeLink(ONCE.code, order.region),
      await player.makeLink(ONCE.code, order.region),
    ];
    const answers = await Promise.all(links.map((linkId) => player.complete(linkId ?? '', order)));
    const outcomes = answers.map((answer) =>
      answer.status === 200 ? 'bought' : errorReason(answer),
    );
    deepStrictEqual(outcomes.sort(), ['PLAN_ALREADY_HELD', 'bought'], 'two links at once');
    const paid = answers.find(({ status }) => status === 200);
    const plan = model.market.offer(ONCE);
    const one = await own(model, { ...order, plan }, String(paid?.body['subscriptionId']), player);
    await compare(one.id, one.state, player);
    strictEqual(await player.makeLink(ONCE.code, order.region), undefined, 'a third link');
  },
  toString: () => `buy ${ONCE.code} by two links at once with ${order.method}`,
});
