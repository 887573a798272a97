/**
 * `hg`, charm pricing (rules/prices 2): an amount moves to the nearest amount that ends in nines. The
 * rule is a table and the arithmetic is in whole minor units, so that it is exact, monotonic and
 * idempotent; the rule shows examples for each kind of currency.
 */

/** A distance between neighbouring charm prices and their common ending, in minor units. */
export interface CharmBand {
  /** The band holds amounts below this; the last band of a row has no end. */
  readonly below: bigint | null;
  readonly step: bigint;
  readonly ending: bigint;
}

/** One row for each number of decimals that ISO 4217 knows; the least charm price is `ending`. */
const CHARM_BANDS: ReadonlyMap<number, readonly CharmBand[]> = new Map([
  [
    0,
    [
      { below: 1_000n, step: 10n, ending: 9n },
      { below: 10_000n, step: 100n, ending: 99n },
      { below: null, step: 1_000n, ending: 999n },
    ],
  ],
  [2, [{ below: null, step: 100n, ending: 99n }]],
  [3, [{ below: null, step: 1_000n, ending: 990n }]],
  [4, [{ below: null, step: 10_000n, ending: 9_900n }]],
]);

/** The band that decides over an amount; a number of decimals without a row is a defect. */
export function findCharmBand(amountMinor: bigint, decimals: number): CharmBand {
  const bands = CHARM_BANDS.get(decimals);
  const band = bands?.find(({ below }) => below === null || amountMinor < below);
  if (band === undefined) throw new Error(`No charm prices for ${decimals} decimals`);
  return band;
}

/**
 * The nearest charm price, ties up, never below the least one; zero stays zero. The amount is in minor units of a
 * currency with this many decimals, and not negative.
 */
export function roundToCharmPrice(amountMinor: bigint, decimals: number): bigint {
  if (amountMinor === 0n) return 0n;
  const { step, ending } = findCharmBand(amountMinor, decimals);
  if (amountMinor <= ending) return ending;
  const stepsAbove = (amountMinor - ending) / step;
  const lower = ending + stepsAbove * step;
  return 2n * (amountMinor - lower) >= step ? lower + step : lower;
}
