import type { FinanceRejection } from '#domain/finance';

/** The answers to refused acts of finance, as the API and the command line give them (rules/finance 30 and 31). */
export const FINANCE_REFUSALS: Readonly<
  Record<FinanceRejection['code'], { readonly reason: string; readonly message: string }>
> = {
  'finance/already_closed': {
    reason: 'PERIOD_CLOSED',
    message:
      'The period is closed, and is not opened again. Late entries are booked in the first open one.',
  },
  'finance/invalid_policy': {
    reason: 'POLICY_INVALID',
    message: 'The policy is not valid. Correct the fields that are named.',
  },
  'finance/no_close_requested': {
    reason: 'NO_CLOSE_REQUESTED',
    message:
      'No close of this period waits for an approval. Ask for the close first; a policy that was set since ends a request.',
  },
  'finance/nothing_booked': {
    reason: 'NOTHING_BOOKED',
    message: 'The app has no entry: there is no period to close.',
  },
  'finance/not_next_period': {
    reason: 'PERIOD_NOT_NEXT',
    message: 'Periods are closed in their order. Close the first open one.',
  },
  'finance/period_not_over': {
    reason: 'PERIOD_NOT_OVER',
    message: "The period is not over by the app's clock. Wait until the first day behind it.",
  },
  'finance/policy_changed': {
    reason: 'POLICY_CHANGED',
    message: 'The policy was changed while the figures were computed. Ask for the close again.',
  },
  'finance/same_person': {
    reason: 'SECOND_PERSON_NEEDED',
    message: 'Another person than the one who asked for the close has to approve it.',
  },
};
