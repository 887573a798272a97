import { describe, expect, it } from '@jest/globals';
import { Partitions } from '#event-store';
import { createEvent, silent } from '../spec-support/fakes.js';
import { LagPlanner } from './lag-planner.js';
import type { OutgoingMessages } from './outgoing-messages.js';

describe('what is read again for endpoints that lag behind', () => {
  it('keeps the place of what this release cannot read: it is not passed over', async () => {
    const never = () => Promise.reject(new Error('nothing is asked for'));
    const messages: Partial<OutgoingMessages> = { findKept: () => [] };
    const planner = new LagPlanner(
      ...([{ load: never }, new Partitions(1), { access: never }] as const),
      ...([messages as OutgoingMessages, silent] as const),
    );
    const { metadata: _, ...item } = createEvent('sub_1', 5);
    const unreadable = { ...item, undecodable: true, reason: 'newer_version' } as const;
    const later = createEvent('sub_2', 6);
    expect(await planner.plan([unreadable, later])).toEqual([
      { event: unreadable, plan: null },
      { event: later, plan: [] },
    ]);
  });
});
