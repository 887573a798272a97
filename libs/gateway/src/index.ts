export type { ChargeOutcome, GatewayCharge, GatewayRefund, PaymentGateway } from './gateway.js';
export { createGateways, type PaymentGateways } from './gateways.js';
export { createSandboxGateway } from './sandbox-gateway.js';
export { SANDBOX_EVENT_TYPES } from './sandbox-account.js';
