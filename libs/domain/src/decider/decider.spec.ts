import { describe, expect, it } from 'vitest';
import { accept, reject, rejectFields, unknownEvent } from './index.js';

describe('a decision', () => {
  it('is that events happen in their order, or none', () => {
    expect(accept('first', 'second')).toEqual({ accepted: true, events: ['first', 'second'] });
    expect(accept()).toEqual({ accepted: true, events: [] });
  });

  it('is that nothing happens, and why', () => {
    expect(reject('plan/archived')).toStrictEqual({
      accepted: false,
      rejection: { code: 'plan/archived' },
    });
    expect(reject('plan/archived', 'archived').rejection).toStrictEqual({
      code: 'plan/archived',
      detail: 'archived',
    });
    const violations = [{ field: 'amount', description: 'is negative' }];
    expect(rejectFields('invalid', violations)).toStrictEqual({
      accepted: false,
      rejection: { code: 'invalid', violations },
    });
  });
});

describe('an event that a newer release has written', () => {
  it('leaves the state as it is', () => {
    const state = { status: 'ACTIVE' };
    expect(unknownEvent(state, {} as never)).toBe(state);
  });
});
