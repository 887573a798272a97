import TestSequencer from '@jest/test-sequencer';

const ORDER = ['long', 'e2e', 'int', 'unit'];
/** Files that wait more than they work, for minutes: one that began late would run alone in the end. */
const LONGEST = /[\\/]test[\\/]chaos[\\/].*\.(int|e2e)\.spec\.ts$/;

/**
 * Long files first, also in a new checkout, where Jest does not know yet how long each takes: short files fill the
 * cores up at the end, instead of one long file that runs alone.
 */
export default class TierSequencer extends TestSequencer {
  sort(tests) {
    const byLength = super.sort(tests);
    const byTier = ORDER.flatMap((tier) =>
      byLength.filter(({ context }) => context.config.displayName?.name === tier),
    );
    const isLongest = ({ path }) => LONGEST.test(path);
    return [...byTier.filter(isLongest), ...byTier.filter((test) => !isLongest(test))];
  }
}
