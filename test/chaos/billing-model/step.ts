import type fc from 'fast-check';
import type { Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { compare } from './compare.js';
import { Market } from './market.js';
import type { LonePayment } from './model-lone.js';
import type { ModelSubscription } from './model.js';
import type { Player } from './player.js';

/** The clock ticks on by itself, and parts may die. */
export const MOMENT_MS = 150_000;

/** A subscription of the player, as the model has it. */
export interface OwnedSubscription {
  readonly id: string;
  readonly state: ModelSubscription;
}

/** The model's memory of its player: every subscription, in the order of their purchase. */
export interface Model {
  readonly owned: OwnedSubscription[];
  /** First payments that have bought nothing. */
  readonly lone: LonePayment[];
  readonly market: Market;
}

export const newModel = (): Model => ({ owned: [], lone: [], market: new Market() });

/** The player on the product's routes. */
export interface Real {
  readonly player: Player;
}

/** One of the player's subscriptions on the product's routes. */
export interface RealSubscription extends Real {
  readonly subscriptionId: string;
  readonly market: Market;
}

export type Step = fc.AsyncCommand<Model, Real>;

/**
 * A step on one of the player's subscriptions, counted from the newest, which is compared after it. No other one
 * changes by it.
 */
export function onSubscription(
  name: string,
  which: number,
  run: (model: ModelSubscription, real: RealSubscription) => Promise<void>,
): Step {
  return {
    check: ({ owned }) => owned.length > 0,
    run: async ({ owned, market }, { player }) => {
      const one = findOne({ owned }, which);
      if (one === undefined) return;
      await run(one.state, { player, market, subscriptionId: one.id });
      await compare(one.id, one.state, player);
    },
    toString: () => `${name}${which === 0 ? '' : ` (subscription ${which})`}`,
  };
}

/** A step that is taken where its subscription fits alone. */
export function whereFits(
  step: Step,
  which: number,
  fits: (state: ModelSubscription) => boolean,
): Step {
  const check = (model: Model) => {
    const one = findOne(model, which);
    return one !== undefined && fits(one.state);
  };
  return { ...step, check };
}

/** Counted from the newest, and round again. */
export function findOne({ owned }: Pick<Model, 'owned'>, which: number) {
  return owned.at(-1 - (which % Math.max(owned.length, 1)));
}

/** The studio asks for a link to a change: of the plan, or of the method where no plan is named. */
export function askForChange(
  { player, subscriptionId }: RealSubscription,
  wish: object = {},
): Promise<Answer> {
  return player.command(`/sdk/subscriptions/${subscriptionId}/change-checkout-links`, wish);
}

/** Whether a read shows a payment so by now. */
export async function hasStatus(
  paymentId: string,
  status: string,
  { player }: Real,
): Promise<boolean> {
  const payment = await player.read(`/sdk/server/payments/${paymentId}`);
  return String(payment['status']).endsWith(`_${status}`);
}

/** @param at its place in the list, newest first. */
export async function findPaymentId(
  { player, subscriptionId }: Omit<RealSubscription, 'market'>,
  at: number,
): Promise<string> {
  const payment = (await player.listPayments(subscriptionId))[at];
  return String(payment?.['paymentId']);
}

/** The consequences of a charge's outcome come a moment later. */
export async function untilStatus(
  real: RealSubscription,
  at: number,
  status: string,
): Promise<void> {
  const isThere = async () => {
    const id = await findPaymentId(real, at);
    return id !== 'undefined' && hasStatus(id, status, real);
  };
  await eventually(isThere, { what: `payment ${at} is ${status}` });
}
