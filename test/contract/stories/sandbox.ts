import {
  type SandboxCommand,
  sandboxAccountAggregate,
} from '../../../libs/gateway/src/sandbox-account.js';
import { sandboxDisputesAggregate } from '../../../libs/gateway/src/sandbox-disputes.js';
import { sandboxChallengesAggregate } from '../../../libs/gateway/src/sandbox-challenges.js';
import { play } from '../../support/play.js';

export { sandboxAccountAggregate } from '../../../libs/gateway/src/sandbox-account.js';

/** The books of the sandbox gateway. */
const amount = { amountMinor: '999', currency: 'USD' };
const charge = {
  kind: 'Charge',
  key: 'pay_01first',
  paymentMethod: 'pm_pending',
  amount,
  offSession: false,
  now: '2027-01-31T10:00:00.000Z',
} as const satisfies SandboxCommand;

export const sandboxAccount = play(
  sandboxAccountAggregate.decider,
  charge,
  { ...charge, now: '2027-01-31T10:00:03.000Z' },
  {
    kind: 'Refund',
    key: 'ref_01gold',
    chargeKey: 'pay_01first',
    amount,
    now: '2027-02-01T10:00:00.000Z',
  },
);

const disputed = '2027-02-02T10:00:00.000Z';
export const sandboxDispute = play(
  {
    ...sandboxDisputesAggregate.decider,
    initialState: play(sandboxAccountAggregate.decider, { ...charge, paymentMethod: 'pm_ok' })
      .state,
  },
  { kind: 'OpenDispute', chargeKey: 'pay_01first', now: disputed },
  { kind: 'CloseDispute', disputeId: 'dsp_01first.1', won: true, now: disputed },
);

/** A charge that the player has to confirm, and declines. */
const challenged = play(sandboxAccountAggregate.decider, {
  ...charge,
  paymentMethod: 'pm_authentication_required',
  returnUrl: 'https://pay.example/checkout/link_01gold',
});
const decided = play(
  { ...sandboxChallengesAggregate.decider, initialState: challenged.state },
  { kind: 'DecideChallenge', key: 'pay_01first', isAccepted: false, now: disputed },
);
export const sandboxChallenge = { events: [...challenged.events, ...decided.events] };
