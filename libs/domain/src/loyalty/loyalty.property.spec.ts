import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Campaign } from '../loyalty-program/index.js';
import type { LoyaltyEvent } from './loyalty.events.js';
import { loyaltyAggregate, type LoyaltyCommand, trackCampaign } from './index.js';

const { decide, evolve, initialState } = loyaltyAggregate.decider;
const NOW = '2027-02-01T10:00:00.000Z';
const campaign: Campaign = {
  ...{ campaignId: 'loy_1', name: 'Winter', delivery: 'async_webhook' },
  points: [
    { currency: 'USD', perMajorUnit: '1.5' },
    { currency: 'JPY', perMajorUnit: '0.07' },
  ],
  milestones: [10, 100, 1_000].map((points) => ({ id: `m${points}`, points, rewards: [] })),
  ...{ from: '2027-01-01T00:00:00.000Z', until: '2027-03-01T00:00:00.000Z' },
  ...{ createdAt: NOW, updatedAt: NOW },
};
/** The rates as fractions: points for each minor unit. */
const RATIONAL: Readonly<Record<string, readonly [over: bigint, under: bigint]>> = {
  USD: [15n, 1_000n],
  JPY: [7n, 100n],
  EUR: [0n, 1n],
};

/** An order pays or is refunded by one of its events, or a milestone is claimed; events come again, in any order. */
const act = fc.oneof(
  fc.record({
    kind: fc.constant('order' as const),
    orderId: fc.constantFrom('ord_1', 'ord_2', 'ord_3'),
    orderRevision: fc.nat(5),
  }),
  fc.record({ kind: fc.constant('claim' as const), milestone: fc.nat(2) }),
);
/** The amount of each order after each of its events, its currency, and whether it counts. */
const life = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'EUR'),
  amounts: fc.array(fc.nat(200_000), { minLength: 6, maxLength: 6 }),
  paidAt: fc.constantFrom('2026-12-31T00:00:00.000Z', NOW),
});

describe('over any orders, refunds and claims', () => {
  it('points are the exact ones of the newest amounts, and each milestone is claimed once at most', () => {
    fc.assert(
      fc.property(fc.tuple(life, life, life), fc.array(act, { maxLength: 60 }), (lives, acts) => {
        let state = initialState;
        const newest = new Map<string, number>();
        const claims: string[] = [];
        for (const one of acts) {
          const decision = decide(toCommand(one, lives), state);
          const events: readonly LoyaltyEvent[] = decision.accepted ? decision.events : [];
          for (const { type, data } of events)
            if (type === 'loyalty.milestone_claimed.v1') claims.push(data.milestoneId);
          state = events.reduce(evolve, state);
          if (one.kind === 'order') {
            const before = newest.get(one.orderId) ?? -1;
            newest.set(one.orderId, Math.max(before, one.orderRevision));
          }
        }
        const { points } = trackCampaign(state, campaign);
        expect(BigInt(points)).toBe(countExactly(newest, lives));
        expect(new Set(claims).size).toBe(claims.length);
        expect(state.messageCount).toBe(claims.length);
      }),
    );
  });
});

type Life = (typeof life extends fc.Arbitrary<infer T> ? T : never)[];
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function findLife(orderId: string, lives: Readonly<Life>) {
  const found = lives[Number(orderId.slice(-1)) - 1];
  if (found === undefined) throw new Error(`${orderId} has no life`);
  return found;
}

function toCommand(one: Act, lives: Readonly<Life>): LoyaltyCommand {
  if (one.kind === 'claim') {
    const milestoneId = campaign.milestones[one.milestone]?.id ?? '';
    return { kind: 'ClaimMilestone', campaign, milestoneId, now: NOW };
  }
  const { orderId, orderRevision } = one;
  const { amounts, currency, paidAt } = findLife(orderId, lives);
  const spent = { amountMinor: String(amounts[orderRevision] ?? 0), currency };
  return { kind: 'RecordOrder', order: { orderId, orderRevision, spent, paidAt }, now: NOW };
}

/** By fractions: the whole part of each order's own product. */
function countExactly(newest: ReadonlyMap<string, number>, lives: Readonly<Life>): bigint {
  let sum = 0n;
  for (const [orderId, revision] of newest) {
    const { amounts, currency, paidAt } = findLife(orderId, lives);
    const [over, under] = RATIONAL[currency] ?? [0n, 1n];
    if (paidAt === NOW) sum += (BigInt(amounts[revision] ?? 0) * over) / under;
  }
  return sum;
}
