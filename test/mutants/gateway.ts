import type { Mutant } from './mutant.js';

const PAYMENTS = 'apps/worker/src/processes/payments';

/** Guards of money at the gateway: one charge, one refund, and no place held for ever. */
export const GATEWAY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a key that may have expired is charged blindly',
    harm: 'A gateway that has forgotten the key charges the player a second time.',
    file: `${PAYMENTS}/once-at-gateway.ts`,
    guard: 'ageMs > keyLifetimeMs - KEY_MARGIN_MS || ',
    without: '',
    specs: [`${PAYMENTS}/once-at-gateway.spec.ts`, `${PAYMENTS}/charge-at-gateway.spec.ts`],
  },
  {
    name: 'a gateway that hangs is waited for',
    harm: 'Its calls keep their places for ever, and no other charge of the app is made.',
    file: 'libs/gateway/src/gateways.ts',
    guard: 'limitCalls(createSandboxGateway(options))',
    without: 'createSandboxGateway(options)',
    specs: ['libs/gateway/src/gateways.spec.ts'],
  },
];
