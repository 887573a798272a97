import type { Mutant } from './mutant.js';

const DOMAIN = 'libs/domain/src/subscription';
const DECIDE = `${DOMAIN}/change.decide`;

/** Guards of plan changes (rules/lifecycle 11). */
export const PLAN_CHANGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a due date is processed while a change is pending',
    harm: 'A renewal is charged beside the change that prices the same time.',
    file: `${DOMAIN}/subscription.state.ts`,
    guard: '  if (awaitedCharge(state) !== null) return null;',
    without: '  if (state.pendingCharge !== null) return null;',
    specs: [DECIDE, 'test/contract/plan-changes'],
  },
  {
    name: 'a change is quoted while a charge is pending',
    harm: 'Two changes are charged at once, each as if the other were not.',
    file: `${DOMAIN}/change.quote.ts`,
    guard: 'isDue || awaitedCharge(state) !== null',
    without: 'isDue',
    specs: [`${DOMAIN}/change.quote`, 'test/contract/plan-changes'],
  },
  {
    name: 'more is charged than was shown',
    harm: 'A player pays more than the page said.',
    file: `${DOMAIN}/change.decide.ts`,
    guard:
      "  if (isGreater(quote.amount, command.shown)) return refuse('subscription/amount_changed');",
    without: '',
    specs: [DECIDE],
  },
  {
    name: 'a shown quote holds for ever',
    harm: 'A player names a moment of long ago, and pays what the change came to then.',
    file: `${DOMAIN}/change.hold.ts`,
    guard: '  if (quotedAt > now || addMilliseconds(quotedAt, QUOTE_HOLDS_MS) < now) return false;',
    without: '',
    specs: [`${DOMAIN}/change.hold`],
  },
  {
    name: 'a shown quote outlasts its period and its plan',
    harm: 'A credit is computed for time, or at a price, that the subscription no longer has.',
    file: `${DOMAIN}/change.hold.ts`,
    guard: '  return quotedAt >= laterInstant(periodStart, state.priceLockedAt);',
    without: '  return quotedAt >= laterInstant(state.createdAt, state.createdAt);',
    specs: [`${DOMAIN}/change.hold`],
  },
  {
    name: 'a repeated click is priced anew',
    harm: 'A declined attempt that is asked for again is answered with another refusal than its own.',
    file: 'apps/storefront/src/checkout/attempt-checkout.handler.ts',
    guard: '    if (earlier !== undefined) return earlier;',
    without: '',
    specs: ['apps/storefront/src/checkout/attempt-change'],
  },
  {
    name: 'a click without a price begins an attempt',
    harm: 'An attempt that the subscription can only refuse counts towards the declines that lock the link.',
    file: 'libs/domain/src/checkout-link/checkout-link.decide.ts',
    guard: '  if (state.change !== null && command.shown === undefined) {',
    without: '  if (state.status === undefined) {',
    specs: ['apps/storefront/src/checkout/attempt-change'],
  },
  {
    name: 'a change is asked for twice',
    harm: 'An event that is given again refuses the change that it has begun.',
    file: `${DOMAIN}/change.decide.ts`,
    guard: '  if (state.pendingChange?.paymentId === paymentId) return accept();',
    without: '',
    specs: [DECIDE],
  },
  {
    name: 'a capture after the end changes the plan',
    harm: 'A player pays for a subscription that is over, and gets nothing back.',
    file: `${DOMAIN}/change.decide.ts`,
    guard: "  if (state.status === 'canceled' || state.status === 'expired') {",
    without: "  if (state.status === 'none') {",
    specs: [DECIDE, 'test/contract/plan-changes'],
  },
  {
    name: 'a credit is above the charge',
    harm: 'A change comes to less than nothing.',
    file: `${DOMAIN}/proration.ts`,
    guard: '  const credit = isGreater(unused, charge) ? charge : unused;',
    without: '  const credit = unused;',
    specs: [`${DOMAIN}/proration`],
  },
  {
    name: 'a canceled change waits on',
    harm: 'A plan changes that the player has canceled, once that is taken back.',
    file: `${DOMAIN}/subscription.state.ts`,
    guard: 'cancelAtPeriodEnd: true, scheduledChange: null };',
    without: 'cancelAtPeriodEnd: true };',
    specs: [DECIDE, 'test/contract/plan-changes'],
  },
  {
    name: 'a change replaces an attempt without an answer',
    harm: 'A second method is asked for while the subscription waits for the first.',
    file: 'libs/domain/src/checkout-link/checkout-link.limits.ts',
    guard: '  if (link.change !== null) return false;',
    without: '',
    specs: ['libs/domain/src/checkout-link/checkout-link.change'],
  },
];
