export {
  cartAggregate,
  type CartCommand,
  type CartRejection,
  MAX_QUANTITY,
} from './cart.decide.js';
export { CART_PROBLEMS, type CartEvent, type CartProblem, type ShownItem } from './cart.events.js';
export { type Cart, countCart, leaveOver } from './cart.state.js';
export { type CartLine, type CatalogOffer, reviewCart, type ReviewedCart } from './review-cart.js';
