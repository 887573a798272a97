import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { projectionAggregate } from './index.js';
import { findGenerations, NO_ACTS } from './projection.state.js';
import type { ProjectionEvent } from './projection.events.js';

const { decider } = projectionAggregate;
const readModel = 'subscriptions.14.3f09ab';
const NOW = '2027-01-31T10:00:00.000Z';
const TOMORROW = '2027-02-01T10:00:00.000Z';
const reason = 'a test';
const of = (generation: number) => ({ readModel, generation });
const because = { readModel, reason, now: NOW, formerKeptMs: 86_400_000 };

const requested = (generation: number, changes = {}): ProjectionEvent => ({
  type: 'projection.rebuild_requested.v1',
  data: { ...of(generation), hold: false, maxPerSecond: null, isFirst: false, reason, ...changes },
});
const swapped = (generation: number, changes = {}): ProjectionEvent => ({
  type: 'projection.swapped.v1',
  data: { ...of(generation), reason, anyway: false, formerUntil: TOMORROW, ...changes },
});
const verified = (generation: number): ProjectionEvent => ({
  type: 'projection.verified.v1',
  data: { ...of(generation), checked: 3 },
});
const held = (generation: number): ProjectionEvent => ({
  type: 'projection.held.v1',
  data: { ...of(generation), findings: ['a list has another count'] },
});
const rebuild = { ...because, kind: 'RequestRebuild', hold: false, maxPerSecond: null } as const;
const judge = (findings: readonly string[] = []) =>
  ({ ...because, kind: 'JudgeGeneration', generation: 2, checked: 3, findings }) as const;
const swap = (anyway = false) => ({ ...because, kind: 'SwapGeneration', anyway }) as const;
const rollBack = (changes = {}) =>
  ({ ...because, kind: 'RollBackGeneration', ...changes }) as const;
const drop = (generation: number) => ({ ...because, kind: 'DropGeneration', generation }) as const;

function generations(...events: ProjectionEvent[]) {
  return findGenerations(given(decider, ...events).state, readModel);
}

describe('a rebuild of a read model', () => {
  it('is the next generation, beside the first one, which no event names', () => {
    expect(given(decider).when(rebuild)).toEqual([requested(2)]);
    expect(generations()).toEqual(NO_ACTS);
    expect(generations(requested(2))).toMatchObject({
      answering: 1,
      building: { generation: 2, gate: null, isPaused: false },
    });
    const afterDrop = { type: 'projection.dropped.v1', data: { ...of(2), reason } } as const;
    expect(given(decider, requested(2), afterDrop).when(rebuild)).toEqual([requested(3)]);
  });

  it('is refused while another one of the read model is under way, and not for another version', () => {
    expect(given(decider, requested(2)).when(rebuild)).toBe('projection/rebuild_under_way');
    const other = { ...rebuild, readModel: 'subscriptions.15.aaaaaa' };
    expect(given(decider, requested(2)).when(other)).toHaveLength(1);
  });

  it('is paused and resumed, each once', () => {
    const act = (kind: 'PauseRebuild' | 'ResumeRebuild') => ({ ...because, kind }) as const;
    const paused = { type: 'projection.paused.v1', data: { ...of(2), reason } } as const;
    expect(given(decider).when(act('PauseRebuild'))).toBe('projection/nothing_built');
    expect(given(decider, requested(2)).when(act('PauseRebuild'))).toEqual([paused]);
    expect(given(decider, requested(2), paused).when(act('PauseRebuild'))).toEqual([]);
    expect(generations(requested(2), paused).building?.isPaused).toBe(true);
    const resumed = given(decider, requested(2), paused).when(act('ResumeRebuild'));
    expect(resumed).toEqual([{ type: 'projection.resumed.v1', data: { ...of(2), reason } }]);
  });
});

describe('the first generation of a raised version', () => {
  const begin = { ...because, kind: 'BeginFirstGeneration', known: null } as const;
  const first = requested(1, { isFirst: true });

  it('is begun once, and nothing of its version answers until its swap', () => {
    expect(given(decider).when(begin)).toEqual([first]);
    expect(given(decider, first).when(begin)).toEqual([]);
    const lost = given(decider, first, swapped(1, { formerUntil: null }));
    expect(lost.when(begin)).toEqual([]);
    expect(lost.when({ ...begin, known: 1 })).toEqual([requested(2, { isFirst: true })]);
    expect(generations(first).answering).toBeNull();
    const swapOfFirst = given(decider, first).when({ ...judge(), generation: 1 });
    expect(swapOfFirst).toEqual([verified(1), swapped(1, { formerUntil: null })]);
    expect(generations(first, swapped(1, { formerUntil: null }))).toEqual({
      ...NO_ACTS,
      last: 1,
    });
  });

  it('is noted as answering where nothing else answered when it was built', () => {
    const note = { ...because, kind: 'NoteAnswering', generation: 1 } as const;
    expect(given(decider, first).when(note)).toEqual([swapped(1, { formerUntil: null })]);
    expect(given(decider).when(note)).toEqual([]);
    expect(given(decider, requested(2)).when({ ...note, generation: 2 })).toEqual([]);
  });
});

describe('the gate', () => {
  it('swaps a generation without findings, and keeps the one before for its time', () => {
    expect(given(decider, requested(2)).when(judge())).toEqual([verified(2), swapped(2)]);
    expect(generations(requested(2), verified(2), swapped(2))).toEqual({
      last: 2,
      answering: 2,
      building: null,
      former: { generation: 1, until: TOMORROW },
    });
  });

  it('verifies, and does not swap, where the operator holds the generation', () => {
    expect(given(decider, requested(2, { hold: true })).when(judge())).toEqual([verified(2)]);
  });

  it('holds a generation with findings once, and lets it go when they are gone', () => {
    const findings = ['a list has another count'];
    expect(given(decider, requested(2)).when(judge(findings))).toEqual([held(2)]);
    expect(given(decider, requested(2), held(2)).when(judge(findings))).toEqual([]);
    expect(given(decider, requested(2), held(2)).when(judge())).toEqual([verified(2), swapped(2)]);
  });

  it('decides once: a second word, or one about another generation, changes nothing', () => {
    const verifiedOnly = given(decider, requested(2, { hold: true }), verified(2));
    expect(verifiedOnly.when(judge(['late']))).toEqual([]);
    expect(given(decider, requested(3)).when(judge())).toEqual([]);
    expect(given(decider, requested(2), swapped(2)).when(judge())).toEqual([]);
  });
});

describe('an operator swaps, rolls back and drops', () => {
  it('a verified generation; another one only anyway', () => {
    expect(given(decider).when(swap())).toBe('projection/nothing_built');
    expect(given(decider, requested(2)).when(swap())).toBe('projection/not_verified');
    expect(given(decider, requested(2), held(2)).when(swap())).toBe('projection/not_verified');
    expect(given(decider, requested(2), verified(2)).when(swap())).toEqual([swapped(2)]);
    const forced = given(decider, requested(2), held(2)).when(swap(true));
    expect(forced).toEqual([swapped(2, { anyway: true })]);
  });

  it('back to the former generation, and forth again, within its time', () => {
    const done = [requested(2), swapped(2)];
    const back: ProjectionEvent = {
      type: 'projection.rolled_back.v1',
      data: { ...of(1), reason, formerUntil: TOMORROW },
    };
    expect(given(decider).when(rollBack())).toBe('projection/no_former');
    expect(given(decider, ...done).when(rollBack())).toEqual([back]);
    expect(generations(...done, back)).toMatchObject({
      answering: 1,
      former: { generation: 2, until: TOMORROW },
    });
    const late = rollBack({ now: TOMORROW });
    expect(given(decider, ...done).when(late)).toBe('projection/no_former');
    const behind = rollBack({ obstacle: 'it is 12 s behind' });
    expect(given(decider, ...done).when(behind)).toBe('projection/former_cannot_answer');
  });

  it('what is built or kept, and never the generation that answers', () => {
    const dropped = (generation: number) => ({
      type: 'projection.dropped.v1',
      data: { ...of(generation), reason },
    });
    expect(given(decider, requested(2)).when(drop(2))).toEqual([dropped(2)]);
    expect(given(decider, requested(2)).when(drop(1))).toBe('projection/generation_answers');
    expect(given(decider, requested(2)).when(drop(7))).toBe('projection/generation_not_found');
    const kept = [requested(2), swapped(2), requested(3)];
    expect(given(decider, ...kept).when(drop(1))).toEqual([dropped(1)]);
    const state = generations(...kept, dropped(1) as ProjectionEvent);
    expect(state).toMatchObject({ answering: 2, building: { generation: 3 }, former: null });
  });
});
