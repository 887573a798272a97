export type { ChargeOutcome, GatewayCharge, GatewayRefund, PaymentGateway } from './gateway.js';
export { createSandboxGateway } from './sandbox-gateway.js';
export { SANDBOX_FACT_TYPES } from './sandbox-account.js';
