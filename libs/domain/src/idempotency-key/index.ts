import { accept, defineAggregate } from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/**
 * Fixes the outcome of a keyed creation beforehand: the id and the moment that belong to an app and an
 * `Idempotency-Key` (rules/api 13). A retry finds them, and so makes the same thing.
 */
export type IdempotencyKeyReserved = DomainEvent<
  'idempotency_key.reserved.v1',
  { readonly id: string; readonly at: Instant }
>;

export type IdempotencyKey =
  { readonly status: 'free' } | (IdempotencyKeyReserved['data'] & { readonly status: 'reserved' });

export interface ReserveIdempotencyKey {
  readonly kind: 'ReserveIdempotencyKey';
  readonly id: string;
  readonly at: Instant;
}

export const idempotencyKeyAggregate = defineAggregate<
  IdempotencyKey,
  ReserveIdempotencyKey,
  IdempotencyKeyReserved,
  never
>('idempotency_key', {
  initialState: { status: 'free' },
  evolve: (_state, event) => ({ ...event.data, status: 'reserved' }),
  decide: ({ id, at }, state) =>
    state.status === 'reserved'
      ? accept()
      : accept<IdempotencyKeyReserved>({ type: 'idempotency_key.reserved.v1', data: { id, at } }),
});
