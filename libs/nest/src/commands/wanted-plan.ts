import { findWantedPlan, type Offer } from '#domain/checkout-link';
import { findPlanRefusal, playerPlansAggregate } from '#domain/player-plans';
import type { ApiError } from '../http/answer/api-error.js';
import type { Ledger } from './ledger.js';
import { rejected } from './rejections.js';

/**
 * Why a player cannot have the offer, by the player's own stream as it is now; undefined where nothing stands in the
 * way. It decides nothing: that is for the claim which follows an attempt (rules/lifecycle 15).
 *
 * @param subscriptionId whose own claim does not stand in its way; empty where none has begun.
 */
export async function findPlanError(
  ledger: Pick<Ledger, 'load'>,
  { player, offer }: { readonly player: string; readonly offer: Offer },
  subscriptionId = '',
): Promise<ApiError | undefined> {
  const wanted = findWantedPlan(offer);
  if (wanted === null) return undefined;
  const { state } = await ledger.load(playerPlansAggregate, player);
  const refusal = findPlanRefusal(state, wanted, subscriptionId);
  return refusal === null ? undefined : rejected({ code: refusal });
}
