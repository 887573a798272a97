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
    name: 'a charge that was asked for before is made again',
    harm: 'Where clocks were wrong, a gateway that has forgotten the key charges a second time.',
    file: `${PAYMENTS}/once-at-gateway.ts`,
    guard: 'mayBeUsed || ',
    without: '',
    specs: [`${PAYMENTS}/once-at-gateway.spec.ts`],
  },
  {
    name: 'a charge is given up before it is found',
    harm: 'What the gateway has captured is given back, and the player loses the subscription.',
    file: `${PAYMENTS}/given-up-charges.ts`,
    guard: "if (found.status === 'captured' || found.status === 'declined') {",
    without: 'if (false) {',
    specs: [`${PAYMENTS}/charge-at-gateway.spec.ts`],
  },
  {
    name: 'a charge that was given up is forgotten',
    harm: 'Captured after all, it is never given back.',
    file: `${PAYMENTS}/charge-at-gateway.ts`,
    guard: 'if (isGivenUp(payment)) return this.givenUp.askAbout(payment, causation);',
    without: '',
    specs: [`${PAYMENTS}/charge-at-gateway.spec.ts`],
  },
  {
    name: 'a first purchase that was given up buys all the same',
    harm: 'The player pays for what the page and the webhooks said had failed.',
    file: 'libs/domain/src/checkout-link/checkout-link.decide.ts',
    guard: ' && last.decline === null',
    without: '',
    specs: ['test/contract/lifecycle.spec.ts'],
  },
  {
    name: 'a renewal that was given up is not given back',
    harm: 'The player has paid for a subscription that has ended.',
    file: 'libs/domain/src/processes/renewal.process.ts',
    guard: 'isAsked && payment.givenUp !== null',
    without: 'false',
    specs: ['test/contract/lifecycle.spec.ts'],
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
