/** The regions of players. */
export const REGIONS = ['FR', 'DE', 'US-NY'] as const;
export type Region = (typeof REGIONS)[number];

/** A tax on payments in a region; the rate is a decimal fraction. */
interface TaxRate {
  readonly rate: string;
  readonly inclusive: boolean;
}

export type RatesByRegion = Partial<Record<Region, TaxRate>>;

/** Sets of rates that an app may have; it begins with the first one. */
export const RATES = [
  {
    DE: { rate: '0.19', inclusive: true },
    'US-NY': { rate: '0.08875', inclusive: false },
  },
  {
    DE: { rate: '0.16', inclusive: true },
    'US-NY': { rate: '0.08875', inclusive: false },
    FR: { rate: '0.2', inclusive: true },
  },
  { DE: { rate: '0', inclusive: true }, 'US-NY': { rate: '0.1', inclusive: true } },
  { DE: { rate: '0.19', inclusive: false }, FR: { rate: '0.055', inclusive: false } },
] as const satisfies readonly RatesByRegion[];

/** Rates that were set once, and from when they hold (rules/prices 5). */
export interface RatesVersion {
  readonly version: number;
  readonly from: number;
  readonly rates: RatesByRegion;
}

/** A rate, and which version it is of. */
export interface AppliedRate extends TaxRate {
  readonly version: number;
}

/** The version of several that holds then: the one that began last, and the newest where two began at once. */
export function versionAt(versions: readonly RatesVersion[], at: number): RatesVersion | undefined {
  const begun = versions.filter(({ from }) => from <= at);
  return begun.sort((left, right) => left.from - right.from || left.version - right.version).at(-1);
}

/** @returns null where no rate is set. */
export function rateAt(
  versions: readonly RatesVersion[],
  region: Region,
  at: number,
): AppliedRate | null {
  const found = versionAt(versions, at);
  const rate = found?.rates[region];
  return found === undefined || rate === undefined ? null : { ...rate, version: found.version };
}

/** A decimal fraction as two whole numbers. */
export function toFraction(rate: string): readonly [bigint, bigint] {
  const [whole = '', decimals = ''] = rate.split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

/** As operators set them. */
export const describeRates = (rates: RatesByRegion) =>
  Object.entries(rates).map(([code, { rate, inclusive }]) => {
    const [country, region] = code.split('-');
    return { country, ...(region !== undefined && { region }), rate, inclusive };
  });
