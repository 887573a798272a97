import { strictEqual, deepStrictEqual } from 'node:assert/strict';
import type { Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import type { ItemId } from './goods.js';
import type { ModelShop } from './model.js';
import {
  attempt,
  claimOrder,
  fail,
  isAttempting,
  isPaid,
  type ModelOrder,
  open,
  total,
} from './model-order.js';
import { onOrder, type Real, refused, type Step } from './step.js';

/** The cards of players, and why they are declined if they are. */
export const CARDS = {
  pm_ok: null,
  pm_decline_insufficient_funds: 'insufficient_funds',
  pm_decline_fraud: 'fraud_suspected',
  pm_authentication_required: null,
  // The answer of its bank is lost, and found.
  pm_timeout: null,
  // Its bank takes some seconds.
  pm_pending: null,
  // Its bank does not answer at all: the charge is given up after a day.
  pm_unavailable: null,
} as const;
export type Card = keyof typeof CARDS;

/** After so many the next attempt has to wait. */
const ATTEMPTS_AT_MOST = 3;

const isOpen = ({ status }: ModelOrder) => status === 'OPEN';

export const pay = (which: number, card: Card): Step =>
  onOrder(`pay by ${card}`, which, isOpen, async (order, model, { shopper }) => {
    if (total(order) === 0) {
      deepStrictEqual(requireOk(await shopper.pay(order.url)).body['status'], 'PAID');
      claimOrder(order);
      return;
    }
    const joined = isAttempting(order) && card === findOpenCard(order);
    if (!joined && order.attempts.length === ATTEMPTS_AT_MOST) return;
    const answer = await shopper.pay(order.url, card);
    const reasons = joined ? [] : whyNot(order, model);
    if (reasons.length > 0) refused(answer, ...reasons);
    else if (joined) strictEqual(answer.body['challengeUrl'] ?? null, readChallenge(order));
    else await payBy(card, order, answer, { model, shopper });
  });

async function payBy(
  card: Card,
  order: ModelOrder,
  answer: Answer,
  { model, shopper }: Real & { readonly model: ModelShop },
): Promise<void> {
  if (card === 'pm_authentication_required') {
    strictEqual(answer.body['status'], 'challenge');
    attempt(order, { at: model.hours, challengeUrl: String(answer.body['challengeUrl']) });
    return;
  }
  const begun = attempt(order, { at: model.hours });
  if (card === 'pm_unavailable') {
    // The call was answered once the attempt could be replaced (rules/payments 3).
    deepStrictEqual([answer.status, answer.body['status']], [202, 'pending']);
    return;
  }
  const reason = CARDS[card];
  if (reason !== null) {
    refused(answer, 'PAYMENT_DECLINED');
    fail(order, begun, reason);
    return;
  }
  order.orderId = await untilPaid(order, card, shopper);
  model.capture(order, begun);
}

/** The card of the attempt that has no outcome: of one its bank asks the player, of the other it says nothing. */
const findOpenCard = (order: ModelOrder): Card =>
  readChallenge(order) === null ? 'pm_unavailable' : 'pm_authentication_required';

const readChallenge = ({ attempts }: ModelOrder) => attempts.at(-1)?.challengeUrl ?? null;

/** Asks again, as a page does while a bank takes its time. @returns the order's id. */
async function untilPaid({ url }: ModelOrder, card: Card, shopper: Real['shopper']) {
  let answer: Answer | undefined;
  await eventually(
    async () => {
      answer = await shopper.pay(url, card);
      return answer.status !== 202;
    },
    { what: `the outcome of ${card}` },
  );
  const { orderId, status } = answer?.body ?? {};
  strictEqual(status, 'PAID', answer?.text);
  return String(orderId);
}

/** A player decides at the bank: also after another attempt took the place of that one, or the order has ended. */
export const decide = (which: number, accepts: boolean): Step =>
  onOrder(
    accepts ? 'confirm' : 'decline at the bank',
    which,
    (order) => findUndecided(order) !== undefined,
    async (order, model, { shopper }) => {
      const decided = findUndecided(order);
      if (decided === undefined) return;
      strictEqual(await shopper.decide(decided.challengeUrl ?? '', accepts), 303);
      decided.isDecided = true;
      if (!accepts) {
        if (decided.state === 'open') fail(order, decided, 'authentication_required');
        return;
      }
      const pays = model.capture(order, decided);
      if (pays) order.orderId = await untilPaid(order, 'pm_authentication_required', shopper);
    },
  );

const findUndecided = ({ attempts }: ModelOrder) =>
  attempts.find(({ challengeUrl, isDecided }) => challengeUrl !== null && !isDecided);

export const cancel = (which: number): Step =>
  onOrder('cancel', which, isOpen, async (order, model, { shopper }) => {
    strictEqual((await shopper.cancel(order.url)).status, 303);
    model.cancel(order);
  });

/** The state of its page, in one word. */
export const look = (which: number): Step =>
  onOrder(
    'look at',
    which,
    () => true,
    async (order, _model, { shopper }) => {
      const { text } = requireOk(await shopper.open(order.url));
      strictEqual(/data-state="(\w+)"/.exec(text)?.[1], describePage(order));
      open(order);
    },
  );

function describePage(order: ModelOrder): string {
  if (isPaid(order)) return 'completed';
  if (order.status !== 'OPEN') return 'expired';
  if (isAttempting(order)) return readChallenge(order) === null ? 'unanswered' : 'challenged';
  return order.attempts.length > 0 ? 'declined' : 'open';
}

/** Paying an order that is over changes nothing, and is answered with its outcome. */
export const payAgain = (which: number): Step =>
  onOrder(
    'pay again',
    which,
    ({ status }) => status !== 'OPEN',
    async (order, _model, { shopper }) => {
      const answer = await shopper.pay(order.url, 'pm_ok');
      if (order.status === 'CANCELED') refused(answer, 'ORDER_CANCELED');
      else if (order.status === 'FAILED') refused(answer, 'CHECKOUT_LINK_EXPIRED');
      else strictEqual(requireOk(answer).body['status'], order.status);
    },
  );

/**
 * Why a payment of an order of the shop does not begin: its catalog is asked anew, and pieces being paid count already.
 */
function whyNot(order: ModelOrder, model: ModelShop): string[] {
  if (order.source === 'ServicePay') return [];
  const isGone = order.items.some(({ id }) => model.price(id as ItemId) === null);
  const isTooMuch = order.items.some(({ id, quantity }) => quantity > model.left(id as ItemId));
  return [
    ...(isGone ? ['ITEM_UNAVAILABLE'] : []),
    ...(isTooMuch && !isAttempting(order) ? ['QUANTITY_EXCEEDED'] : []),
  ];
}
