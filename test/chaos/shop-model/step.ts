import { ok, strictEqual } from 'node:assert/strict';
import type fc from 'fast-check';
import type { Answer } from '../../support/api-client.js';
import { errorReason } from '../../support/errors.js';
import { compare } from './compare.js';
import type { ModelShop } from './model.js';
import type { ModelOrder } from './model-order.js';
import type { Shopper } from './shopper.js';

/** The player on the product's routes. */
export interface Real {
  readonly shopper: Shopper;
}

export type Step = fc.AsyncCommand<ModelShop, Real>;

export function step(
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

/** A step on one of those of the player's orders that it is for, counted from the newest. */
export function onOrder(
  name: string,
  which: number,
  isFor: (order: ModelOrder) => boolean,
  run: (order: ModelOrder, model: ModelShop, real: Real) => Promise<void>,
): Step {
  const choose = ({ orders }: Readonly<ModelShop>) => {
    const among = orders.filter(isFor);
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

/** Refused for one of the reasons that there are. */
export function refused(answer: Answer, ...reasons: readonly string[]): void {
  const reason = errorReason(answer);
  if (reasons.length === 1) strictEqual(reason, reasons[0]);
  else ok(reasons.includes(String(reason)), `${String(reason)} is none of ${reasons.join()}`);
}
