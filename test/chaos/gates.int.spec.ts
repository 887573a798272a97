import { describe, expect, it } from '@jest/globals';
import { holdEach } from './gates.chaos.js';
import { NOT_HELD, PROJECTOR_ACTS, WORKER_ACTS } from './gates/acts.js';
import { readFencedScripts } from './gates/scripts.js';

const LIMIT_MS = 300_000;

/**
 * The short form of `npm run chaos -- gates`. It shows what comes of all guards together; that each single act is
 * fenced is shown by the mutants of the fences.
 */
describe('a process that is held in the middle of an act', () => {
  const acts = [...WORKER_ACTS, ...PROJECTOR_ACTS];

  it(
    'changes nothing in Redis when it goes on, and nothing is there twice: in the middle of each act',
    async () => {
      const { figures, findings } = await holdEach(acts, () => undefined);
      expect(findings).toEqual([]);
      expect(figures).toMatchObject({ held: acts.length });
      expect(Number(figures['purchases'])).toBeGreaterThan(10);
    },
    LIMIT_MS,
  );

  it('is held in each act that compares the token of a lease', () => {
    const isHeld = (name: string) => acts.some((act) => act.name.startsWith(name));
    const notHeld = [...readFencedScripts().keys()].filter((name) => !isHeld(name));
    expect(notHeld.sort()).toEqual(Object.keys(NOT_HELD).sort());
  });
});
