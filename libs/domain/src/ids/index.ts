export {
  deriveCheckoutPaymentId,
  deriveLateRefundId,
  derivePeriodPaymentId,
  deriveSubscriptionId,
} from './derived-ids.js';
export { deriveId, ENTROPY_BYTES, formatId, isId } from './ids.js';
