import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { given } from '../decider/spec-support/given.js';
import type { CampaignTerms, LoyaltyProgramEvent } from './loyalty-program.events.js';
import { MAX_CAMPAIGNS } from './loyalty-program.decide.js';
import {
  countPoints,
  isPointsRate,
  loyaltyProgramAggregate,
  type LoyaltyProgramCommand,
} from './index.js';

const { decider } = loyaltyProgramAggregate;
const NOW = '2027-01-31T10:00:00.000Z';
const LATER = '2027-02-01T10:00:00.000Z';
const rewards = [{ itemId: 'gold-chest', quantity: 1, type: 'item' }];
const terms: CampaignTerms = {
  name: 'Winter',
  points: [{ currency: 'USD', perMajorUnit: '10' }],
  milestones: [
    { id: 'bronze', points: 50, rewards },
    { id: 'silver', points: 100, rewards },
  ],
  ...{ from: '2027-01-01T00:00:00.000Z', until: '2027-03-01T00:00:00.000Z' },
  delivery: 'async_webhook',
};
const created = (campaignId = 'loy_1'): LoyaltyProgramEvent => ({
  type: 'loyalty_program.campaign_created.v1',
  data: { campaignId, ...terms, createdAt: NOW },
});
const create = (changes: Partial<CampaignTerms> = {}, campaignId = 'loy_1') =>
  ({ kind: 'CreateCampaign', campaignId, terms: { ...terms, ...changes }, now: NOW }) as const;
const revise = (changes: Partial<CampaignTerms>): LoyaltyProgramCommand => ({
  ...{ kind: 'ReviseCampaign', campaignId: 'loy_1', changes, now: LATER },
});

/** rules/loyalty 1 */
describe('a campaign', () => {
  it('is made once under its id', () => {
    expect(given(decider).when(create())).toEqual([created()]);
    expect(given(decider, created()).when(create())).toEqual([]);
  });

  it('is revised in what is named, and in nothing by what it is already', () => {
    const { when } = given(decider, created());
    const until = '2027-04-01T00:00:00.000Z';
    const revised: LoyaltyProgramEvent = {
      type: 'loyalty_program.campaign_revised.v1',
      data: { campaignId: 'loy_1', until, revisedAt: LATER },
    };
    expect(when(revise({ until }))).toEqual([revised]);
    expect(when(revise({ name: 'Winter' }))).toEqual([]);
    expect(given(decider).when(revise({ until }))).toBe('loyalty/campaign_not_found');
    const [campaign] = given(decider, created(), revised).state.campaigns;
    expect(campaign).toEqual({
      ...{ campaignId: 'loy_1', ...terms, until },
      ...{ createdAt: NOW, updatedAt: LATER },
    });
  });

  it('is one of so many', () => {
    const history = Array.from({ length: MAX_CAMPAIGNS }, (_, n) => created(`loy_${n}`));
    expect(given(decider, ...history).when(create({}, 'loy_new'))).toBe(
      'loyalty/too_many_campaigns',
    );
    expect(given(decider, ...history.slice(1)).when(create({}, 'loy_new'))).toHaveLength(1);
  });

  it('names every field that does not go with the others', () => {
    const bad = {
      points: [...terms.points, { currency: 'USD', perMajorUnit: '1' }],
      milestones: [
        { id: 'bronze', points: 50, rewards },
        { id: 'bronze', points: 50, rewards },
        { id: 'gold', points: 10, rewards },
      ],
      until: terms.from,
    };
    const decision = decider.decide(create(bad), decider.initialState);
    const { violations = [] } = decision.accepted ? {} : decision.rejection;
    expect(violations.map(({ field }) => field)).toEqual([
      'points[1].currency',
      'milestones[1].id',
      'milestones[1].points',
      'milestones[2].points',
      'until',
    ]);
    const revised = given(decider, created()).when(revise({ from: terms.until }));
    expect(revised).toBe('loyalty/invalid_campaign');
  });
});

/** rules/loyalty 2 */
describe('points of an order', () => {
  it.each([
    ['999', 'USD', '10', 99n],
    ['999', 'USD', '0.5', 4n],
    ['10', 'USD', '0.1', 0n],
    ['29', 'USD', '100', 29n],
    ['980', 'JPY', '0.01', 9n],
    ['9990', 'KWD', '1.5', 14n],
    ['900719925474099312', 'USD', '9999999.999999', 90071992547400924000745n],
    ['0', 'USD', '10', 0n],
    ['-5', 'USD', '10', 0n],
  ])('of %s %s at %s for a major unit are %d', (amountMinor, currency, perMajorUnit, expected) => {
    expect(countPoints({ amountMinor, currency }, [{ currency, perMajorUnit }])).toBe(expected);
  });

  it('are none in a currency without a rate', () => {
    const euro = [{ currency: 'EUR', perMajorUnit: '10' }];
    expect(countPoints({ amountMinor: '999', currency: 'USD' }, euro)).toBe(0n);
  });

  it('are the whole part of the exact product, whatever the currency', () => {
    const currencies = fc.constantFrom(
      ...([['JPY', 0n], ['USD', 2n], ['KWD', 3n]] as const), // prettier-ignore
    );
    fc.assert(
      fc.property(
        currencies,
        fc.bigInt(1n, 10n ** 15n),
        fc.bigInt(1n, 10n ** 13n - 1n),
        ([currency, decimals], minor, rate) => {
          const behind = String(rate % 1_000_000n).padStart(6, '0');
          const perMajorUnit = `${rate / 1_000_000n}.${behind}`;
          const spent = { amountMinor: String(minor), currency };
          const counted = countPoints(spent, [{ currency, perMajorUnit }]);
          const [exact, one] = [minor * rate, 10n ** (6n + decimals)];
          return counted * one <= exact && exact < (counted + 1n) * one;
        },
      ),
    );
  });

  it('are counted by a decimal string', () => {
    expect(['10', '0.5', '0.000001', '9999999.999999'].every(isPointsRate)).toBe(true);
    const bad = ['', '0', '0.0', '-1', '1e3', '01', '.5', '1.', '1.0000001', '10000000', ' 1'];
    expect(bad.filter(isPointsRate)).toEqual([]);
  });
});
