/** The common part of version lists: price sheets and tax rates are counted from 1. */

const NUMBER = /^[1-9]\d{0,8}$/;
const AFTER_EVERY_VERSION = 1_000_000_000;

/** The number in a path; text that is no number gives one that no version has. */
export function versionNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : 0;
}

/** Versions as `cutPage` wants them: sorted by a text, which counts down. */
export function newestFirst<Version extends { readonly version: number }>(
  versions: readonly Version[],
): { sorted: Version[]; keyOf: (version: Version) => string } {
  return {
    sorted: [...versions].reverse(),
    keyOf: ({ version }) => String(AFTER_EVERY_VERSION - version).padStart(10, '0'),
  };
}
