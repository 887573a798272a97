import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { findReadModel } from '#projection-engine';
import { subscriptions } from '#projections';
import { isReason, lookAtBuild, measurePace } from '#read-model-operations';
import { decideHere } from '../../../apps/cli/src/projections/act.js';
import { BuildWatch } from '../../../apps/cli/src/projections/build-watch.js';
import { eventually } from '../../support/eventually.js';
import { startProjector } from '../projection-engine/support.js';
import { BuiltLedger } from '../verification/support.js';
import { act, describeOne, NAMED, nameStates, openOperations } from './support.js';

let built: BuiltLedger;
let projector: Awaited<ReturnType<typeof startProjector>>;
beforeAll(async () => {
  built = await BuiltLedger.build([subscriptions]);
  const options = { projections: [subscriptions] };
  projector = await startProjector(built.store, built.redisUrl, options);
});
afterAll(async () => {
  await projector.stop();
  await built.stop();
});

async function becomes(...states: readonly string[]): Promise<void> {
  const ledger = openOperations(built);
  await eventually(async () => nameStates(await describeOne(ledger)).join() === states.join(), {
    what: states.join(', '),
    limitMs: 20_000,
  });
}

const refusedWith = (code: string, detail?: unknown) => ({
  accepted: false,
  rejection: detail === undefined ? { code } : { code, detail },
});

describe('an act on a read model', () => {
  it('is an event with actor and reason, and each further one is decided by it', async () => {
    const ledger = openOperations(built);
    const rebuild = { kind: 'rebuild', hold: true, maxPerSecond: 1 } as const;
    expect(await act(ledger, rebuild)).toMatchObject({
      accepted: true,
      generations: { last: 2, answering: 1, building: { generation: 2, hold: true } },
      events: [{ type: 'projection.rebuild_requested.v1' }],
    });
    const events: RecordedEvent[] = [];
    for await (const event of built.store.client.readStream('projection-subscriptions')) {
      events.push(event);
    }
    expect(events).toMatchObject([
      {
        data: { ...{ readModel: NAMED.readModel, reason: 'a test' } },
        metadata: { actor: 'operator:ann' },
      },
    ]);
    expect(await act(ledger, rebuild)).toEqual(refusedWith('projection/rebuild_under_way', '2'));
    expect(await act(ledger, { kind: 'swap', anyway: false })).toEqual(
      refusedWith('projection/not_verified', expect.stringContaining('has not looked')),
    );
    expect(await act(ledger, { kind: 'rollback' })).toEqual(refusedWith('projection/no_former'));
    for (const [generation, code] of [
      [1, 'projection/generation_answers'],
      [9, 'projection/generation_not_found'],
    ] as const) {
      expect(await act(ledger, { kind: 'drop', generation })).toEqual(refusedWith(code));
    }
  });

  it('may pause and resume a build, whose progress each partition has', async () => {
    const ledger = openOperations(built);
    await becomes('1 answering', '2 building');
    expect(await act(ledger, { kind: 'pause' })).toMatchObject({ accepted: true });
    const look = await lookAtBuild(ledger, NAMED.readModel);
    expect(look.partitions.map(({ partition }) => partition)).toEqual([0, 1, 2]);
    const answering = await ledger.redis.get(partitionKeys()[0]?.checkpoint ?? '');
    const { applied } = JSON.parse(answering ?? '') as { applied: number };
    expect(look.partitions[0]).toMatchObject({ generation: 2, target: applied, parkedStreams: 0 });
    expect(look.done).toBeLessThan(look.target ?? 0);
    expect(look.share).toBeLessThan(1);
    const watched = new BuildWatch(ledger, NAMED.readModel, 1, 500).follow();
    const moments: boolean[] = [];
    const watching = async () => {
      for await (const { isOver } of watched) moments.push(isOver);
    };
    await expect(watching()).rejects.toThrow('The build has not moved for a minute');
    expect(moments.every((isOver) => !isOver)).toBe(true);
    expect(await act(ledger, { kind: 'drop', generation: 2 })).toMatchObject({ accepted: true });
    await becomes('1 answering');
    expect((await lookAtBuild(ledger, NAMED.readModel)).share).toBe(1);
  });

  it('swaps what is verified, and leads back', async () => {
    const ledger = openOperations(built);
    await act(ledger, { kind: 'rebuild', hold: true, maxPerSecond: null });
    const begun = await lookAtBuild(ledger, NAMED.readModel);
    await becomes('1 answering', '3 verified');
    const ended = await lookAtBuild(ledger, NAMED.readModel);
    expect(ended.done).toBe(ended.target);
    if (begun.partitions.length > 0) {
      expect(measurePace(begun, ended)?.eventsPerSecond).toBeGreaterThanOrEqual(0);
    }
    expect(await act(ledger, { kind: 'swap', anyway: false })).toMatchObject({ accepted: true });
    await becomes('1 former', '3 answering');
    expect(await act(ledger, { kind: 'rollback' })).toMatchObject({ accepted: true });
    await becomes('1 answering', '3 former');
  });

  it('does not lead back to a generation that Redis has not everywhere', async () => {
    const ledger = openOperations(built);
    await projector.stop();
    const [first] = partitionKeys();
    const text = (await built.redis.get(first?.former ?? '')) ?? '';
    await built.redis.del(first?.former ?? '');
    expect(await act(ledger, { kind: 'rollback' })).toEqual(
      refusedWith('projection/former_cannot_answer', 'Redis has it in 2 of 3 partitions'),
    );
    // One that fell behind is none either: an event has waited for it for longer than five seconds.
    const behind = { ...(JSON.parse(text) as object), position: '' };
    await built.redis.set(first?.former ?? '', JSON.stringify(behind));
    await eventually(
      async () => {
        const refused = await act(ledger, { kind: 'rollback' });
        return !refused.accepted && (refused.rejection.detail ?? '').includes('has not applied');
      },
      { what: 'a former generation that is behind', limitMs: 10_000 },
    );
  });
});

describe('an act of a newer release', () => {
  it('is named by the description, and keeps this release from deciding beside it', async () => {
    const ledger = openOperations(built);
    await built.store.append('projection-subscriptions', [
      { type: 'projection.split.v1', data: { readModel: NAMED.readModel } },
    ]);
    const described = await describeOne(ledger);
    expect(described).toMatchObject({ areActsReadable: false, generations: [{}, {}] });
    const rebuild = { kind: 'rebuild', hold: false, maxPerSecond: null } as const;
    const context = { reason: 'a test', formerKeptMs: 1 };
    await expect(decideHere(ledger, NAMED, rebuild, context)).rejects.toMatchObject({
      ...{ kind: 'refused', reason: 'ACTS_UNREADABLE' },
    });
  });
});

describe('the reason of an act', () => {
  it.each([
    ['the index lost entries', true],
    ['', false],
    [' ', false],
    ['a\u001b[2J', false],
    ['x'.repeat(501), false],
  ])('%j may be one: %j', (text, isOne) => {
    expect(isReason(text)).toBe(isOne);
  });
});

function partitionKeys() {
  return findReadModel(subscriptions, built.store.identity).partitions;
}
