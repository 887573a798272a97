import { strictEqual, deepStrictEqual } from 'node:assert/strict';
import type { Answer } from '../../support/api-client.js';
import { badFields } from '../../support/errors.js';
import { requireOk } from '../../support/scenario.js';
import { CAMPAIGNS, type Currency, type ItemId, type MilestoneId } from './goods.js';
import type { ModelShop } from './model.js';
import { type Real, refused, type Step, step } from './step.js';

export const add = (id: ItemId, quantity: number): Step =>
  step(`add ${quantity} ${id}`, async (model, { shopper }) => {
    const answer = await shopper.add(id, quantity);
    put(answer, model, id, model.cart.count(id) + quantity);
  });

export const set = (id: ItemId, quantity: number): Step =>
  step(
    `set ${quantity} ${id}`,
    async (model, { shopper }) => put(await shopper.set(id, quantity), model, id, quantity),
    // The same number again is no change.
    ({ cart }) => cart.count(id) > 0 && cart.count(id) !== quantity,
  );

function put(answer: Answer, model: ModelShop, id: ItemId, wanted: number): void {
  // Taken out is always possible.
  const reasons = wanted === 0 ? [] : whyNot(model, id, wanted);
  if (reasons.length > 0) {
    refused(answer, ...reasons);
    return;
  }
  requireOk(answer);
  model.cart.set(id, wanted);
}

/** All that keeps so many pieces of an item from the cart. */
function whyNot(model: ModelShop, id: ItemId, wanted: number): string[] {
  if (!isSold(model, id)) return ['ITEM_UNAVAILABLE'];
  return [
    ...(wanted > model.left(id) ? ['QUANTITY_EXCEEDED'] : []),
    ...(model.cart.isOtherCurrency(id) ? ['CURRENCY_MISMATCH'] : []),
  ];
}

/** A free item is claimed. */
function isSold(model: ModelShop, id: ItemId): boolean {
  return (model.price(id) ?? 0) > 0;
}

export const checkOut = (): Step =>
  step(
    'check out',
    async (model, { shopper }) => {
      const answer = await shopper.checkOut();
      const expected = model.cart.checkOut();
      if ('changed' in expected) {
        refused(answer, 'CART_CHANGED');
        const fields = badFields(answer).sort();
        deepStrictEqual(fields, expected.changed.map((id) => `items.${id}`).sort(), 'changed');
        return;
      }
      const { orderId, url } = requireOk(answer).body;
      const { currency = 'USD' } = model.cart;
      const made = { orderId: String(orderId), url: String(url), currency };
      model.addOrder(made, expected.lines, model.cart.number);
    },
    ({ cart }) => cart.count() > 0,
  );

export const buyNow = (id: ItemId, quantity: number): Step =>
  step(`buy ${quantity} ${id}`, async (model, { shopper }) => {
    const answer = await shopper.buyNow(id, quantity);
    if (!isSold(model, id)) {
      refused(answer, 'ITEM_UNAVAILABLE');
      return;
    }
    if (quantity > model.left(id)) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    const { orderId, url } = requireOk(answer).body;
    const made = { orderId: String(orderId), url: String(url), currency: model.currency(id) };
    model.addOrder(made, [{ id, quantity, minor: model.price(id) ?? 0 }], null);
  });

/** The studio's catalog changes: another price, nothing, or gone where there is none. Pages know it at once. */
export const changeCatalog = (id: ItemId, price: number | null): Step =>
  step(`${id} for ${price ?? 'none'}`, async (model, { shopper }) => {
    model.prices.set(id, price);
    await offer(model, shopper);
  });

/** The player pays in another currency from here on, or again in each item's own: the studio's catalog is in that. */
export const moveTo = (currency: Currency | null): Step =>
  step(`pay in ${currency ?? 'any currency'}`, async (model, { shopper }) => {
    model.paysIn = currency;
    await offer(model, shopper);
  });

async function offer(model: ModelShop, shopper: Real['shopper']): Promise<void> {
  shopper.studio.offer(
    (each) => model.price(each),
    (each) => model.currency(each),
  );
  // A purchase asks the catalog anew, and pages then show that answer.
  refused(await shopper.buyNow('nothing', 1), 'ITEM_UNAVAILABLE');
}

export const claim = (id: ItemId): Step =>
  step(`claim ${id}`, async (model, { shopper }) => {
    const answer = await shopper.claim(id);
    if (model.price(id) !== 0) {
      refused(answer, 'ITEM_UNAVAILABLE');
      return;
    }
    if (!model.canClaim(id)) {
      refused(answer, 'QUANTITY_EXCEEDED');
      return;
    }
    strictEqual(requireOk(answer).body['itemId'], id);
    model.claimed.push({ id, isRecent: true });
  });

export const claimMilestone = (id: MilestoneId): Step =>
  step(`claim milestone ${id}`, async (model, { shopper }) => {
    const at = CAMPAIGNS.findIndex(({ milestones }) => id in milestones);
    const answer = await shopper.claimMilestone(at, id);
    const isClaimed = model.milestones.includes(id);
    if (!isClaimed && !isReached(model, id)) {
      refused(answer, 'MILESTONE_LOCKED');
      return;
    }
    requireOk(answer);
    if (!isClaimed) model.milestones.push(id);
  });

function isReached(model: ModelShop, id: MilestoneId): boolean {
  return CAMPAIGNS.some((campaign) => {
    const { milestones }: { milestones: Partial<Record<MilestoneId, number>> } = campaign;
    return model.points(campaign) >= (milestones[id] ?? Infinity);
  });
}
