import { expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { idempotencyKeyAggregate } from './index.js';

it('a keyed creation is given its id and its moment once; a retry finds the first ones', () => {
  const { decider } = idempotencyKeyAggregate;
  const first = { id: 'plan_1', at: '2027-01-31T10:00:00.000Z' };
  const reserved = { type: 'idempotency_key.reserved.v1', data: first } as const;
  expect(given(decider).when({ kind: 'ReserveIdempotencyKey', ...first })).toEqual([reserved]);
  const retry = {
    kind: 'ReserveIdempotencyKey',
    id: 'plan_2',
    at: '2027-02-01T10:00:00.000Z',
  } as const;
  expect(given(decider, reserved).when(retry)).toEqual([]);
  expect(given(decider, reserved).state).toEqual({ status: 'reserved', ...first });
});
