export type {
  ChargeOutcome,
  ChargeQuery,
  FoundCharge,
  FoundRefund,
  GatewayCharge,
  GatewayRefund,
  PaymentGateway,
  GatewayRefundOutcome,
  RefundQuery,
  SettledCharge,
} from './gateway.js';
export type { CardEntry, EnteredCard } from './card-entry.js';
export type { GatewayNotice, NoticeReaders, ReceivedNotice } from './gateway-notice.js';
export { type PaymentGateways, readGatewayKind } from './gateways.js';
export {
  listDisputes,
  readChargeKey,
  type SandboxDisputeCommand,
  sandboxDisputesAggregate,
  type SandboxDisputeRejection,
} from './sandbox-disputes.js';
export {
  createSandboxChallenges,
  type SandboxChallenge,
  type SandboxChallenges,
} from './sandbox-challenges.js';
export type { Difference } from './compare-books.js';
export { reconcile, type Reconciliation } from './reconcile.js';
export { createSandboxBooks } from './sandbox-books.js';
export { listSandboxTransactions, type SandboxTransaction } from './sandbox-report.js';
export { createSandboxGateway } from './sandbox-gateway.js';
export { createSandboxNotices, type SandboxNotices } from './sandbox-notices.js';
export { SANDBOX_EVENT_TYPES } from './sandbox-account.js';
export { limitCalls } from './limit-calls.js';
export { settleBy } from './gateway.js';
export type { BookedCharge, GatewayBooks, ListBooks } from './gateway-books.js';
export type { PayoutRow, ReadPayout } from './gateway-payouts.js';
