export {
  deriveChangeRequestId,
  deriveCheckoutPaymentId,
  deriveDisputeRecordingId,
  deriveLateCaptureRecordingId,
  deriveLateRefundId,
  deriveOrderPaymentId,
  derivePeriodPaymentId,
  deriveRefundRecordingId,
  deriveSubscriptionId,
  isLateRefundId,
} from './derived-ids.js';
export {
  deriveId,
  ENTROPY_BYTES,
  formatId,
  isId,
  isPseudonym,
  readBucket,
  readPlayerBucket,
} from './ids.js';
