import { describe, expect, it } from '@jest/globals';
import { paymentIdFor } from './due-dates.js';

describe('the id of a charge', () => {
  const dueAt = '2026-02-28T10:00:00.000Z';

  it('is the same whoever asks, and another for each subscription, due date and attempt', () => {
    const id = paymentIdFor('sub_1', dueAt, 1);
    expect(paymentIdFor('sub_1', dueAt, 1)).toBe(id);
    const others = [
      paymentIdFor('sub_2', dueAt, 1),
      paymentIdFor('sub_1', dueAt, 2),
      paymentIdFor('sub_1', '2026-03-31T10:00:00.000Z', 1),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
  });

  it('sorts by the due date', () => {
    const later = paymentIdFor('sub_1', '2026-03-31T10:00:00.000Z', 1);
    expect(paymentIdFor('sub_1', dueAt, 3) < later).toBe(true);
  });
});
