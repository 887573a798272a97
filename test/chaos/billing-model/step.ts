import type fc from 'fast-check';
import { compare } from './compare.js';
import type { ModelSubscription } from './model.js';
import type { Player } from './player.js';

/** What the model remembers of its player: one subscription after the other. */
export interface Model {
  current: ModelSubscription | undefined;
}

/** The player on the product's routes, and which subscription is the current one. */
export interface Real {
  readonly player: Player;
  subscriptionId: string;
}

export type Step = fc.AsyncCommand<Model, Real>;

/** A step that needs a subscription, which is compared after it. */
export function onSubscription(
  name: string,
  run: (model: ModelSubscription, real: Real) => Promise<void>,
): Step {
  return {
    check: ({ current }) => current !== undefined,
    run: async ({ current }, real) => {
      if (current === undefined) return;
      await run(current, real);
      await compare(real.subscriptionId, current, real.player);
    },
    toString: () => name,
  };
}

/** @param at its place in the list, newest first. */
export async function findPaymentId({ player, subscriptionId }: Real, at: number): Promise<string> {
  const { payments } = await player.read(`/sdk/subscriptions/${subscriptionId}/payments?limit=100`);
  // The page is the API's own answer to this path.
  const payment = (payments as Record<string, unknown>[])[at];
  return String(payment?.['paymentId']);
}
