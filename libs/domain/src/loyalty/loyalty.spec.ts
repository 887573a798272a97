import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import type { Campaign } from '../loyalty-program/index.js';
import type { LoyaltyEvent } from './loyalty.events.js';
import { loyaltyAggregate, type LoyaltyCommand, trackProgress } from './index.js';

const { decider } = loyaltyAggregate;
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const PAID = '2027-01-31T10:00:00.000Z';
const NOW = '2027-02-01T10:00:00.000Z';
const rewards = [{ itemId: 'gold-chest', quantity: 1, type: 'item' }];
const campaign: Campaign = {
  ...{ campaignId: 'loy_1', name: 'Winter', delivery: 'async_webhook' },
  points: [{ currency: 'USD', perMajorUnit: '10' }],
  milestones: [
    { id: 'bronze', points: 50, rewards },
    { id: 'silver', points: 100, rewards },
  ],
  ...{ from: '2027-01-01T00:00:00.000Z', until: '2027-03-01T00:00:00.000Z' },
  ...{ createdAt: PAID, updatedAt: PAID },
};

/** An order that has come to this amount, after so many of its events. */
const order = (orderId: string, amount: string, orderRevision = 3, paidAt = PAID) => ({
  ...{ orderId, orderRevision, spent: usd(amount), paidAt },
});
const recorded = (...args: Parameters<typeof order>): LoyaltyEvent => ({
  type: 'loyalty.order_recorded.v1',
  data: { ...order(...args), recordedAt: NOW },
});
const record = (...args: Parameters<typeof order>): LoyaltyCommand => ({
  ...{ kind: 'RecordOrder', order: order(...args), now: NOW },
});
const claim = (milestoneId: string, more: Partial<Campaign> = {}): LoyaltyCommand => ({
  ...{ kind: 'ClaimMilestone', campaign: { ...campaign, ...more }, milestoneId, now: NOW },
});
const claimed = (milestoneId: string, isSent = true): LoyaltyEvent => ({
  type: 'loyalty.milestone_claimed.v1',
  data: { campaignId: 'loy_1', milestoneId, rewards, claimedAt: NOW, isSent },
});
const points = (...events: LoyaltyEvent[]) => {
  const [progress] = trackProgress(given(decider, ...events).state, [campaign], NOW);
  return progress?.points;
};

/** rules/loyalty 2 */
describe('the points of a player', () => {
  it('are of orders that were paid in the time of the campaign, each rounded down alone', () => {
    expect(points(recorded('ord_1', '999'), recorded('ord_2', '999'))).toBe(198);
    expect(points(recorded('ord_1', '999', 3, '2026-12-31T23:59:59.999Z'))).toBe(0);
    expect(points(recorded('ord_1', '999', 3, campaign.until))).toBe(0);
    expect(points(recorded('ord_1', '999', 3, campaign.from))).toBe(99);
  });

  it('are fewer once some of an order is refunded, and none of it counts twice', () => {
    expect(points(recorded('ord_1', '999'), recorded('ord_1', '499', 4))).toBe(49);
    expect(points(recorded('ord_1', '999'), recorded('ord_1', '0', 4))).toBe(0);
  });

  it('follow what an order has come to, also where its events are worked on again', () => {
    expect(given(decider).when(record('ord_1', '999'))).toEqual([recorded('ord_1', '999')]);
    const { when } = given(decider, recorded('ord_1', '999'), recorded('ord_1', '499', 4));
    expect(when(record('ord_1', '999', 3))).toEqual([]);
    expect(when(record('ord_1', '499', 4))).toEqual([]);
    expect(when(record('ord_1', '499', 5))).toEqual([]);
    expect(when(record('ord_1', '999', 6))).toEqual([recorded('ord_1', '999', 6)]);
  });

  it('are shown as the greatest number that JSON holds, where there are more', () => {
    const large = recorded('ord_1', '9'.repeat(30));
    expect(points(large)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

/** rules/loyalty 3 */
describe('a milestone', () => {
  it('is claimed once it is reached, and once', () => {
    expect(given(decider).when(claim('bronze'))).toBe('loyalty/milestone_locked');
    const { when } = given(decider, recorded('ord_1', '500'));
    expect(when(claim('bronze'))).toEqual([claimed('bronze')]);
    expect(when(claim('silver'))).toBe('loyalty/milestone_locked');
    expect(when(claim('gold'))).toBe('loyalty/milestone_not_found');
    const after = given(decider, recorded('ord_1', '500'), claimed('bronze'));
    expect(after.when(claim('bronze'))).toEqual([]);
  });

  it('stays claimed when what it was claimed for is refunded', () => {
    const events = [recorded('ord_1', '500'), claimed('bronze'), recorded('ord_1', '0', 4)];
    expect(given(decider, ...events).when(claim('bronze'))).toEqual([]);
    const [progress] = trackProgress(given(decider, ...events).state, [campaign], NOW);
    expect(progress?.milestones.map(({ state }) => state)).toEqual(['claimed', 'locked']);
  });

  it('is one of its campaign, whatever those of others are called', () => {
    const { when } = given(decider, recorded('ord_1', '500'), claimed('bronze'));
    expect(when(claim('bronze', { campaignId: 'loy_2' }))).toHaveLength(1);
  });

  it('is a message where the campaign has them sent', () => {
    const { when } = given(decider, recorded('ord_1', '500'));
    expect(when(claim('bronze', { delivery: 'none' }))).toEqual([claimed('bronze', false)]);
    const sent = given(decider, claimed('bronze'), claimed('silver', false));
    expect(sent.state.messageCount).toBe(1);
  });
});

/** rules/loyalty 3 */
describe('what a player is shown', () => {
  const shown = (now: string, ...events: LoyaltyEvent[]) =>
    trackProgress(given(decider, ...events).state, [campaign], now).map(({ name }) => name);

  it('are campaigns that run', () => {
    expect(shown('2026-12-31T23:59:59.999Z')).toEqual([]);
    expect(shown(campaign.from)).toEqual(['Winter']);
    expect(shown('2027-02-28T23:59:59.999Z')).toEqual(['Winter']);
    expect(shown(campaign.until)).toEqual([]);
  });

  it('is an ended campaign, too, as long as something can be claimed there', () => {
    const reached = recorded('ord_1', '500');
    expect(shown(campaign.until, reached)).toEqual(['Winter']);
    expect(shown(campaign.until, reached, claimed('bronze'))).toEqual([]);
  });
});
