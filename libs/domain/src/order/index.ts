export { orderAggregate, type OrderCommand, type OrderRejection } from './order.decide.js';
export {
  ORDER_SOURCES,
  ORDER_STATUSES,
  type OrderEvent,
  type OrderSource,
  type OrderStatus,
} from './order.events.js';
export {
  countPieces,
  explainQuote,
  isFree,
  MAX_FREE_PIECES,
  MAX_ORDER_ITEMS,
  type OrderItem,
  type OrderQuote,
  quoteOrder,
} from './order.items.js';
export {
  type CreatedOrderLink,
  type OrderLink,
  ORDER_LINK_PREFIX,
  orderLinkAggregate,
  type OrderLinkEvent,
} from './order-link.js';
export { isOfPurchase, isPurchaseFailed, tellsOfPayments } from './order.messages.js';
export {
  beginSchedule,
  evolveSchedule,
  isScheduleOver,
  orderAttemptEndsAt,
  type OrderSchedule,
  scheduleDueAt,
} from './order.schedule.js';
export {
  attemptSeries,
  type CreatedOrder,
  findOrderChallenge,
  hasNoted,
  isAttempting,
  lastOrderAttempt,
  type Order,
  type OrderAttempt,
  orderDueAt,
  openAttempts,
} from './order.state.js';
