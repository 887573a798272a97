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
} from './gateway.js';
export { createGateways, type PaymentGateways } from './gateways.js';
export { createSandboxGateway } from './sandbox-gateway.js';
export { SANDBOX_EVENT_TYPES } from './sandbox-account.js';
export { limitCalls } from './limit-calls.js';
