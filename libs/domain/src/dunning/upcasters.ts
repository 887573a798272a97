import { DEFAULT_DUNNING } from './dunning.policy.js';

/** From the events of before apps could say which declines are retried, and failures what is left. */
export const DUNNING_UPCASTERS = [
  {
    from: 'app.dunning_configured.v1',
    to: 'app.dunning_configured.v2',
    upcast: (data: unknown): unknown => ({
      ...(data as object),
      retriedDeclineClasses: DEFAULT_DUNNING.retriedDeclineClasses,
    }),
  },
  {
    from: 'subscription.renewal_failed.v1',
    to: 'subscription.renewal_failed.v2',
    // Null, since an event alone does not know the settings of its app.
    upcast: (data: unknown): unknown => ({ ...(data as object), schedule: null }),
  },
];
