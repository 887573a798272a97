import { roundToCharmPrice } from './charm-rounding.js';

/** The rounding strategies that a conversion may name; none is named for no rounding (rules/prices 7). */
export const ROUNDINGS = ['hg'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/**
 * The version of the arithmetic: tax, then rounding, then display. It goes out with every quote
 * and is raised with any change to a rule, so that an old quote differs from a new one.
 */
export const PRICING_RULE_VERSION = '1';

export function isRounding(name: string): name is Rounding {
  return (ROUNDINGS as readonly string[]).includes(name);
}

/** The amount after the named rounding, in minor units; unchanged when none is named. */
export function applyRounding(
  amountMinor: bigint,
  decimals: number,
  rounding: Rounding | undefined,
): bigint {
  switch (rounding) {
    case undefined:
      return amountMinor;
    case 'hg':
      return roundToCharmPrice(amountMinor, decimals);
  }
}
