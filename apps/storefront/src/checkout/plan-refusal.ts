import { checkoutLinkAggregate, type CreatedCheckoutLink } from '#domain/checkout-link';
import { type ApiError, findPlanError, type Ledger } from '#nest';

/**
 * Why the player of a link cannot have its plan, as far as is known before an attempt; undefined where nothing stands in
 * the way (rules/lifecycle 15). Most players are free for the plan, which costs no look at the link.
 */
export async function findPlanRefusal(
  ledger: Pick<Ledger, 'load'>,
  link: CreatedCheckoutLink,
): Promise<ApiError | undefined> {
  const own = link.change?.subscriptionId;
  const refusal = await findPlanError(ledger, link, own);
  if (refusal === undefined || own !== undefined) return refusal;
  // It may be the subscription of this link that has the plan. Read behind the player's stream, the link names it.
  const { state } = await ledger.load(checkoutLinkAggregate, link.linkId);
  const begun = state.status === 'none' ? undefined : state.attempts[0]?.subscriptionId;
  return begun === undefined ? refusal : findPlanError(ledger, link, begun);
}
