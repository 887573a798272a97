import fc from 'fast-check';
import {
  add,
  buyNow,
  changeCatalog,
  checkOut,
  claim,
  claimMilestone,
  moveTo,
  set,
} from './cart-steps.js';
import { type Currency, ITEMS, type ItemId, MILESTONES } from './goods.js';
import { cancel, type Card, decide, look, pay, payAgain } from './order-steps.js';
import type { Step } from './step.js';
import { decideDispute, dispute, makeLink, refundPart, repeatLink, wait } from './studio-steps.js';

const MOST_STEPS = 150;
const CURRENCIES: readonly Currency[] = ['USD', 'EUR', 'JPY'];
/** No sum of these is near to a day, after which orders and attempts are over. */
const WAITS = [5, 13, 25] as const;
/** The studio's prices of an item: as at first, more, nothing, or none. */
const PRICES: readonly ((id: ItemId) => number | null)[] = [
  (id) => ITEMS[id].minor,
  (id) => ITEMS[id].minor + 150,
  () => 0,
  () => null,
];
/** The accepted card most often, as a visit needs its later steps. */
const CARDS: readonly Card[] = [
  ...(['pm_ok', 'pm_ok', 'pm_ok', 'pm_decline_insufficient_funds', 'pm_decline_fraud'] as const),
  ...([
    'pm_authentication_required',
    'pm_authentication_required',
    'pm_timeout',
    'pm_pending',
    'pm_unavailable',
  ] as const),
];

/**
 * Cases that random visits come to seldom: a cart that has changed before its checkout, and of which something is left;
 * charges that are captured once they buy nothing; one that is given up with its order; money that goes back in every
 * way.
 */
export const KNOWN_VISIT: readonly Step[] = [
  makeLink('JPY', 3, false),
  look(0),
  add('gems', 2),
  add('crown', 1),
  checkOut(),
  add('sword', 1),
  changeCatalog('gems', 1_150),
  // By now it is claimed and not bought.
  changeCatalog('sword', 0),
  moveTo('EUR'),
  add('gems', 1),
  moveTo(null),
  checkOut(),
  checkOut(),
  pay(0, 'pm_authentication_required'),
  pay(0, 'pm_decline_fraud'),
  add('potion', 1),
  pay(0, 'pm_ok'),
  decide(0, true),
  pay(0, 'pm_authentication_required'),
  wait(25),
  decide(0, true),
  makeLink('USD', 2, false),
  pay(0, 'pm_ok'),
  refundPart(0, 7),
  dispute(0, 50),
  decideDispute(0, false),
  claimMilestone('small'),
  claim('chest'),
];

/** Random visits of a player to the shop, and to payment links. */
export function visits(): fc.Arbitrary<Step[]> {
  // The names are those of the type.
  const items = fc.constantFrom(...(Object.keys(ITEMS) as ItemId[]));
  const wanted = fc.tuple(items, fc.integer({ min: 1, max: 4 }));
  const which = fc.nat(4);
  const percent = fc.constantFrom(7, 50, 100);
  const cards = fc.constantFrom<Card>(...CARDS);
  const currencies = fc.constantFrom(...CURRENCIES);
  const link = fc.tuple(currencies, fc.integer({ min: 1, max: 3 }), fc.nat(3));
  const offer = fc.tuple(items, fc.constantFrom(...PRICES));
  const part = fc.tuple(which, percent);
  const choice = fc.tuple(which, fc.boolean());
  // The way from the cart to a refund is long: its steps are tried more often than the others.
  const steps: fc.WeightedArbitrary<Step>[] = [
    { weight: 8, arbitrary: wanted.map(([id, quantity]) => add(id, quantity)) },
    {
      weight: 2,
      arbitrary: fc.tuple(items, fc.nat(4)).map(([id, quantity]) => set(id, quantity)),
    },
    { weight: 6, arbitrary: fc.constant(null).map(checkOut) },
    { weight: 2, arbitrary: wanted.map(([id, quantity]) => buyNow(id, quantity)) },
    { weight: 2, arbitrary: offer.map(([id, change]) => changeCatalog(id, change(id))) },
    { weight: 1, arbitrary: fc.constantFrom(null, ...CURRENCIES).map(moveTo) },
    { weight: 3, arbitrary: link.map(([of, pieces, drawn]) => makeLink(of, pieces, drawn === 0)) },
    { weight: 1, arbitrary: choice.map(([at, isChanged]) => repeatLink(at, isChanged)) },
    { weight: 10, arbitrary: fc.tuple(which, cards).map(([at, card]) => pay(at, card)) },
    { weight: 3, arbitrary: choice.map(([at, accepts]) => decide(at, accepts)) },
    { weight: 2, arbitrary: which.map(cancel) },
    { weight: 1, arbitrary: which.map(look) },
    { weight: 1, arbitrary: which.map(payAgain) },
    { weight: 4, arbitrary: part.map(([at, share]) => refundPart(at, share)) },
    { weight: 3, arbitrary: part.map(([at, share]) => dispute(at, share)) },
    { weight: 3, arbitrary: choice.map(([at, won]) => decideDispute(at, won)) },
    { weight: 2, arbitrary: fc.constantFrom(...WAITS).map(wait) },
    { weight: 2, arbitrary: items.map(claim) },
    { weight: 2, arbitrary: fc.constantFrom(...MILESTONES).map(claimMilestone) },
  ];
  return fc.array(fc.oneof(...steps), { minLength: 8, maxLength: MOST_STEPS, size: 'max' });
}
