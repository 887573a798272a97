import { describe, expect, it } from 'vitest';
import { holdEach } from './gates.chaos.js';
import { NOT_HELD, PROJECTOR_ACTS, WORKER_ACTS } from './gates/acts.js';
import { readFencedScripts } from './gates/scripts.js';

/** One act of each kind: of the work itself, of its records, of the lease, of the store, of read models. */
const SHORT = [
  ...['begin-work', 'end-work', 'move-checkpoint', 'renew-lease', 'answer-clock-part'],
  ...['append payment.captured.v1', 'send a webhook', 'apply-batch', 'place-generations'],
];

/**
 * The short form of `npm run chaos -- gates`, which holds in the middle of every act. It shows the effect of all guards
 * together; the mutants of the fences show that each single act is fenced.
 */
describe('a process that is held in the middle of an act', () => {
  const acts = [...WORKER_ACTS, ...PROJECTOR_ACTS];
  const isFirst = (name: string, at: number) => acts.findIndex((act) => act.name === name) === at;

  it('changes nothing in Redis when it goes on, and nothing is there twice: in the middle of one act of each kind', async () => {
    const chosen = acts.filter(({ name }, n) => SHORT.includes(name) && isFirst(name, n));
    const { figures, findings } = await holdEach(chosen, () => undefined);
    expect(findings).toEqual([]);
    expect(figures).toMatchObject({ held: SHORT.length });
    expect(Number(figures['purchases'])).toBeGreaterThan(5);
  });

  it('is held in each act that compares the token of a lease', () => {
    const isHeld = (name: string) => acts.some((act) => act.name.startsWith(name));
    const notHeld = [...readFencedScripts().keys()].filter((name) => !isHeld(name));
    expect(notHeld.sort()).toEqual(Object.keys(NOT_HELD).sort());
  });
});
