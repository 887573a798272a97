import TestSequencer from '@jest/test-sequencer';

const ORDER = ['e2e', 'int', 'unit'];

/**
 * Long files first, also in a new checkout, where Jest does not know yet how long each takes: what is
 * short fills the cores up at the end, instead of one long file that runs alone.
 */
export default class TierSequencer extends TestSequencer {
  sort(tests) {
    const byLength = super.sort(tests);
    return ORDER.flatMap((tier) =>
      byLength.filter(({ context }) => context.config.displayName?.name === tier),
    );
  }
}
