import type { Mutant } from './mutant.js';

const STRIPE = 'libs/gateway/src/stripe';
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
    name: 'a charge that a crash has kept from the gateway is given up unasked',
    harm: 'A long outage ends subscriptions that nothing was ever charged for.',
    file: `${PAYMENTS}/charge-at-gateway.ts`,
    guard: 'if (isAtBound && wasAskedFor) return',
    without: 'if (isAtBound) return',
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
  {
    name: 'what Stripe first said of a key is taken for its outcome',
    harm: 'A charge that was open when it was made stays open, and is given up though it was captured.',
    file: `${STRIPE}/stripe-gateway.ts`,
    guard: "outcome.status !== 'pending'",
    without: 'true',
    specs: ['test/integration/gateway/stripe-gateway.int.spec.ts'],
  },
  {
    name: 'a failure that Stripe repeats is waited out',
    harm: 'The key of a charge that went through says for a day that Stripe failed; the player has paid for nothing.',
    file: `${STRIPE}/stripe-gateway.ts`,
    guard: 'if (isStuck(error))',
    without: 'if (false as boolean)',
    specs: ['test/integration/gateway/stripe-gateway.int.spec.ts'],
  },
  {
    name: 'a notice of Stripe that is years ahead is genuine',
    harm: 'A notice that was signed for a later day can be played again until then.',
    file: `${STRIPE}/stripe-notices.ts`,
    guard: 'if (seconds > nowMs / 1000 + TOLERANCE_SECONDS)',
    without: 'if (seconds > Infinity)',
    specs: ['test/integration/gateway/stripe-notices.int.spec.ts'],
  },
  {
    name: 'an app takes keys of the other mode',
    harm: 'Test cards pay in a production app, or a test clock charges real ones.',
    file: 'libs/domain/src/app/app-gateway.ts',
    guard: "if (isLive !== (environment === 'production')) {",
    without: 'if (false) {',
    specs: ['libs/domain/src/app/app-gateway.spec.ts'],
  },
];
