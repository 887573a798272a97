import { strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { requireOk } from '../../support/scenario.js';
import type { Currency } from './goods.js';
import {
  closeDispute,
  isPaid,
  type ModelLine,
  type ModelOrder,
  openDispute,
  refund,
  remaining,
  total,
} from './model-order.js';
import { onOrder, refused, type Step, step } from './step.js';

/** The price of one piece in a payment link: with these prices no tax lies between two minor units. */
const PRICES: Readonly<Record<Currency, number>> = { USD: 1_250, EUR: 995, JPY: 980 };

/** A payment link; free is one whose items cost nothing, and beside items with a price lies a gift. */
export const makeLink = (currency: Currency, quantity: number, isFree: boolean): Step =>
  step(
    `link of ${quantity} ${isFree ? 'gifts' : `for ${currency}`}`,
    async (model, { shopper }) => {
      const key = `link-${randomUUID()}`;
      const gift = { id: `${key}-gift`, quantity: isFree ? quantity : 1, minor: 0 };
      const sold = { id: `${key}-sold`, quantity, minor: PRICES[currency] };
      const items: ModelLine[] = isFree ? [gift] : [sold, gift];
      const { url } = requireOk(await shopper.makeLink(key, currency, items)).body;
      model.addLink({ key, url: String(url), currency, items });
    },
  );

/** The same transaction is the same link, whatever has become of it; with another body it is refused. */
export const repeatLink = (which: number, isChanged: boolean): Step =>
  onOrder(
    isChanged ? 'change the link of' : 'repeat the link of',
    which,
    ({ source }) => source === 'ServicePay',
    async ({ key, url }, _model, { shopper }) => {
      const answer = await shopper.repeatLink(key, isChanged ? { language: 'de' } : {});
      if (isChanged) refused(answer, 'IDEMPOTENCY_KEY_REUSED');
      else strictEqual(requireOk(answer).body['url'], url);
    },
  );

/** Of an order that was paid, and did not cost nothing. */
const hasMoney = (order: ModelOrder) => isPaid(order) && total(order) > 0;

export const refundPart = (which: number, percent: number): Step =>
  onOrder(`refund ${percent} % of`, which, hasMoney, async (order, _model, { shopper }) => {
    const minor = share(order, percent);
    const answer = await shopper.studio.refund(String(order.orderId), minor);
    if (order.status === 'DISPUTED' || order.status === 'REFUNDED') {
      refused(answer, 'PAYMENT_NOT_REFUNDABLE');
      return;
    }
    requireOk(answer);
    refund(order, minor);
  });

export const dispute = (which: number, percent: number): Step =>
  onOrder(`dispute ${percent} % of`, which, hasMoney, async (order, _model, { shopper }) => {
    const minor = share(order, percent);
    const answer = await shopper.studio.dispute(String(order.orderId), minor);
    if (remaining(order) === 0) refused(answer, 'PAYMENT_NOT_DISPUTABLE');
    else openDispute(order, String(requireOk(answer).body['disputeId']), minor);
  });

export const decideDispute = (which: number, won: boolean): Step =>
  onOrder(
    `${won ? 'win' : 'lose'} a dispute of`,
    which,
    ({ disputes }) => disputes.length > 0,
    async (order, _model, { shopper }) => {
      const [first] = order.disputes;
      requireOk(await shopper.studio.closeDispute(String(first?.id), won));
      closeDispute(order, won);
    },
  );

/** A part of the rest, and a minor unit at least. */
const share = (order: ModelOrder, percent: number) =>
  Math.max(1, Math.floor((remaining(order) * percent) / 100));

/** The app's clock goes on. */
export const wait = (hours: number): Step =>
  step(`wait ${hours} h`, async (model, { shopper }) => {
    await shopper.studio.wait(hours);
    model.wait(hours);
  });
