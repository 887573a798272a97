import { accept, type Aggregate } from '../decider/index.js';
import type { Fact, Instant } from '../fact/index.js';

/**
 * What a keyed creation creates is fixed before it is created: the id and the moment that belong to
 * an app and an `Idempotency-Key` (decisions 5). A retry finds them, and so makes the same thing.
 */
export type CreationReserved = Fact<
  'creation.reserved.v1',
  { readonly id: string; readonly at: Instant }
>;

export type Creation =
  { readonly status: 'free' } | (CreationReserved['data'] & { readonly status: 'reserved' });

export interface ReserveCreation {
  readonly kind: 'ReserveCreation';
  readonly id: string;
  readonly at: Instant;
}

export const creationAggregate: Aggregate<Creation, ReserveCreation, CreationReserved, never> = {
  category: 'creation',
  decider: {
    initialState: { status: 'free' },
    evolve: (_state, event) => ({ ...event.data, status: 'reserved' }),
    decide: ({ id, at }, state) =>
      state.status === 'reserved'
        ? accept()
        : accept<CreationReserved>({ type: 'creation.reserved.v1', data: { id, at } }),
  },
};
