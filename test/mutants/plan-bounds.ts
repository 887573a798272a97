import type { Mutant } from './mutant.js';

const DOMAIN = 'libs/domain/src';
const STATE = `${DOMAIN}/player-plans/player-plans.state.ts`;
const PLANS = `${DOMAIN}/player-plans/player-plans`;
const PROCESS = `${DOMAIN}/processes/plan-claim.process`;
const CLAIMS = `${DOMAIN}/subscription/subscription.claims`;
const CONTRACT = 'test/contract/plan-bounds';

/** Guards of plans that a player has once (rules/lifecycle 15). */
export const PLAN_BOUND_MUTANTS: readonly Mutant[] = [
  {
    name: 'an attempt is charged before its plan is claimed',
    harm: 'Of two links that are paid at once, both are charged.',
    file: `${DOMAIN}/processes/checkout.process.ts`,
    guard: '  if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];',
    without: '',
    specs: [PROCESS, CONTRACT],
  },
  {
    name: 'a change of the plan claims nothing',
    harm: 'A player gets a plan twice by changing into it.',
    file: `${DOMAIN}/processes/change.process.ts`,
    guard: '  if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];',
    without: '',
    specs: [`${DOMAIN}/processes/change.process`, CONTRACT],
  },
  {
    name: 'a subscription stands in its own way',
    harm: 'A player cannot change to another plan of the same group.',
    file: STATE,
    guard: '    other.subscriptionId !== subscriptionId &&\n',
    without: '',
    specs: [PLANS, CONTRACT],
  },
  {
    name: 'a trial is forgotten with its subscription',
    harm: 'A player begins the same free trial again and again.',
    file: STATE,
    guard: '    trials: hasTrial && !isKnown ? [...state.trials, plan] : state.trials,',
    without: '    trials: state.trials,',
    specs: [PLANS, CONTRACT],
  },
  {
    name: 'the claim of a replaced attempt stays beside the new one',
    harm: 'A player whose first card was slow cannot buy the plan again after its end.',
    file: STATE,
    guard: "state.held.filter((other) => linkId === '' || other.linkId !== linkId)",
    without: 'state.held',
    specs: [PLANS, CONTRACT],
  },
  {
    name: 'a declined payment keeps its claim',
    harm: 'A player whose card was declined can never buy the plan on another link.',
    file: `${PROCESS}.ts`,
    guard: '  return [releaseStep(player, [deriveLinkClaimId(linkId, attempt)], now)];',
    without: '  return [releaseStep(player, [linkId, String(attempt)], now)];',
    specs: [PROCESS, CONTRACT],
  },
  {
    name: 'a plan that is left by a change stays claimed',
    harm: 'A player who changed to another plan can never buy the first one again.',
    file: `${CLAIMS}.ts`,
    guard: '  const before = [state.claimId, state.scheduledClaimId];',
    without: '  const before = [state.scheduledClaimId];',
    specs: [CLAIMS, CONTRACT],
  },
  {
    name: 'a change that cannot have its plan waits on',
    harm: 'The plan changes at the end of the period, and the player has two of it.',
    file: `${DOMAIN}/subscription/change.decide.ts`,
    guard: '  if (scheduledChange === null || scheduledClaimId !== claimId) return accept();',
    without: '  if (scheduledChange !== null || scheduledClaimId !== claimId) return accept();',
    specs: [CLAIMS, CONTRACT],
  },
  {
    name: 'a refused attempt leaves its link under way',
    harm: 'The page of the second link waits for ever, and the link cannot be paid later.',
    file: `${DOMAIN}/checkout-link/checkout-link.state.ts`,
    guard: '      return reopened(state, attempt, { refusal });',
    without: '      return changeAttempt(state, attempt, { refusal });',
    specs: [`${DOMAIN}/checkout-link/checkout-link.claims`, CONTRACT],
  },
  {
    name: 'a click is refused for what its own link has bought',
    harm: 'A second tab of the same page shows a refusal in the place of the subscription.',
    file: 'apps/storefront/src/checkout/plan-refusal.ts',
    guard: '  return begun === undefined ? refusal : findPlanError(ledger, link, begun);',
    without: '  return begun === undefined ? refusal : findPlanError(ledger, link);',
    specs: ['apps/storefront/src/checkout/plan-bounds'],
  },
  {
    name: 'a change that waits is answered before its plan is claimed',
    harm: 'A caller believes that the plan will change, and it is dropped.',
    file: 'apps/api/src/change-links/commands/scheduled-changes.ts',
    guard: '    if (claim) await this.claim(state, claim, context);',
    without: '',
    specs: ['apps/api/src/change-links/commands/scheduled-changes'],
  },
];
