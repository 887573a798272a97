import type { Mutant } from './mutant.js';

const PLANNER = 'libs/projection-engine/src/partition/next-places.ts';
const PLANNER_SPEC = 'libs/projection-engine/src/partition/next-places.spec.ts';
const GATE_SPEC = 'test/integration/projection-engine/generation-gate.int.spec.ts';

/** Guards by which a rebuild, a swap and a rollback of a read model show readers nothing wrong. */
export const GENERATION_MUTANTS: readonly Mutant[] = [
  {
    name: 'a generation is swapped in that does not have all of history yet',
    harm: 'A document that is there is answered with 404 after a swap.',
    file: PLANNER,
    guard: 'if (!building.isCaughtUp || isOlder(building, answering)) return undefined;',
    without: 'if (isOlder(building, answering)) return undefined;',
    specs: [PLANNER_SPEC],
  },
  {
    name: 'a generation is swapped in that is behind the one that answers',
    harm: 'A reader sees a state that is older than the one that it waited for.',
    file: PLANNER,
    guard: 'return answering !== undefined && position < answering.position;',
    without: "return answering !== undefined && position < '';",
    specs: [PLANNER_SPEC],
  },
  {
    name: 'a generation is kept as the former one before it is built',
    harm: 'A rollback to it lets half a read model answer.',
    file: PLANNER,
    guard: "return building.isCaughtUp ? { kind: 'keep_as_former' } : undefined;",
    without: "return { kind: 'keep_as_former' };",
    specs: [PLANNER_SPEC],
  },
  {
    name: 'the gate does not look at parked streams',
    harm: 'A new version answers with documents that stand still where the one before went on.',
    file: 'libs/projection-engine/src/run/gate-findings.ts',
    guard: '...counted, ...parked, ...findings',
    without: '...counted, ...findings',
    specs: [GATE_SPEC],
  },
  {
    name: 'the gate does not compare counts',
    harm: 'A list that lacks entries answers, where its projection has no recipe.',
    file: 'libs/projection-engine/src/run/gate-findings.ts',
    guard: 'if (answering === undefined) return [];',
    without: 'if (this.projection !== undefined || answering === undefined) return [];',
    specs: [GATE_SPEC],
  },
];
