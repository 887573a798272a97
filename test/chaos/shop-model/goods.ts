/** The items with their taxes and rewards, written apart from the product: amounts are minor units. */

export type Currency = 'USD' | 'EUR' | 'JPY';

interface ModelItem {
  readonly minor: number;
  readonly currency: Currency;
  /** The studio's number of pieces that the player may still have. */
  readonly most?: number;
}

export const ITEMS = {
  sword: { minor: 499, currency: 'USD' },
  potion: { minor: 35, currency: 'USD' },
  gems: { minor: 1_000, currency: 'USD', most: 3 },
  chest: { minor: 0, currency: 'USD', most: 2 },
  crown: { minor: 820, currency: 'EUR' },
} as const satisfies Record<string, ModelItem>;
export type ItemId = keyof typeof ITEMS;

/** Added to every price: with these prices no tax lies between two minor units. */
export const TAX_PERCENT = 20;

/** Points for a hundred minor units of each currency that counts, and the rewards for them. */
export const CAMPAIGNS = [
  { points: { USD: 1_000, EUR: 750 }, milestones: { small: 40, large: 300 } },
  { points: { JPY: 5 }, milestones: { yen: 40 } },
] as const satisfies readonly {
  readonly points: Partial<Record<Currency, number>>;
  readonly milestones: Readonly<Record<string, number>>;
}[];

/** Each of all campaigns. */
export const MILESTONES = ['small', 'large', 'yen'] as const;
export type MilestoneId = (typeof MILESTONES)[number];

export function findMost(id: ItemId): number {
  const { most = Infinity }: ModelItem = ITEMS[id];
  return most;
}

/** As a decimal string in major units. */
export const toMajor = (minor: number, currency: Currency) =>
  currency === 'JPY' ? String(minor) : (minor / 100).toFixed(2);

/** The rate of a campaign for one major unit, times a hundred. */
export function findRate(campaign: (typeof CAMPAIGNS)[number], currency: Currency): number {
  const { points }: { points: Partial<Record<Currency, number>> } = campaign;
  return points[currency] ?? 0;
}

export function countPoints(
  campaign: (typeof CAMPAIGNS)[number],
  minor: number,
  currency: Currency,
): number {
  const unit = currency === 'JPY' ? 1 : 100;
  return Math.floor((minor * findRate(campaign, currency)) / (unit * 100));
}
