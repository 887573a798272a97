export {
  deriveChangeRequestId,
  deriveCheckoutPaymentId,
  deriveCreditRefundId,
  deriveDisputeRecordingId,
  deriveLateCaptureRecordingId,
  deriveLateRefundId,
  deriveOrderPaymentId,
  derivePeriodPaymentId,
  deriveRefundRecordingId,
  deriveSubscriptionId,
  isCreditRefundId,
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
