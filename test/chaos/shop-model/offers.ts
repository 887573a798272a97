import {
  type CAMPAIGNS,
  type Currency,
  ITEMS,
  type ItemId,
  MILESTONES,
  findMost,
  findRate,
  toMajor,
} from './goods.js';

const DAY_MS = 86_400_000;
/** Longer than any visit lets pass. */
const CAMPAIGN_DAYS = 365;
const CURRENCIES: readonly Currency[] = ['USD', 'EUR', 'JPY'];

/** The items of the studio's catalog. */
export function describeItems(
  price: (id: ItemId) => number | null,
  chooseCurrency: (id: ItemId) => Currency = (id) => ITEMS[id].currency,
) {
  // The names are those of the type.
  return (Object.keys(ITEMS) as ItemId[]).flatMap((id) => {
    const minor = price(id);
    if (minor === null) return [];
    const currency = chooseCurrency(id);
    const most = findMost(id);
    return {
      ...{ id, price: { currency, amount: toMajor(minor, currency) } },
      ...(most < Infinity && { max_purchasable: most }),
    };
  });
}

/** A campaign as the studio makes it. */
export function describeCampaign(campaign: (typeof CAMPAIGNS)[number]) {
  const { milestones }: { milestones: Readonly<Record<string, number>> } = campaign;
  return {
    name: 'Model',
    points: CURRENCIES.filter((currency) => findRate(campaign, currency) > 0).map((currency) => ({
      currency,
      perMajorUnit: String(findRate(campaign, currency) / 100),
    })),
    milestones: MILESTONES.flatMap((id) => {
      const points = milestones[id];
      return points === undefined ? [] : [{ id, points, rewards: rewardFor(id) }];
    }),
    from: new Date(Date.now() - DAY_MS).toISOString(),
    until: new Date(Date.now() + CAMPAIGN_DAYS * DAY_MS).toISOString(),
    delivery: 'async_webhook',
  };
}

const rewardFor = (id: string) => [{ itemId: `reward-${id}`, quantity: 1, type: 'item' }];
