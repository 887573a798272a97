import type { Aggregate } from '../decider/index.js';
import { type CartCommand, cartDecider, type CartRejection } from './cart.decide.js';
import type { CartEvent } from './cart.events.js';
import type { Cart } from './cart.state.js';

export { type CartCommand, type CartRejection, MAX_QUANTITY } from './cart.decide.js';
export { CART_PROBLEMS, type CartEvent, type CartProblem, type ShownItem } from './cart.events.js';
export { type Cart, countCart, leaveOver } from './cart.state.js';
export { type CartLine, type CatalogOffer, reviewCart, type ReviewedCart } from './review-cart.js';

/** A stream for each cart; which of them is open, the player's `shop` says (decision 0034). */
export const cartAggregate: Aggregate<Cart, CartCommand, CartEvent, CartRejection> = {
  category: 'cart',
  decider: cartDecider,
};
