import { afterEach, describe, expect, it } from 'vitest';
import type { Projection } from '#projection-engine/define';
import { dueDates, projections, subscriptions } from '#projections';
import { type VerificationReport, verifyFull, verifySample } from '#verification';
import { subscriptionExpired } from '../projection-engine/support.js';
import { BuiltLedger, nameDifferences } from './support.js';

/** This release's read models, one of them with a mistake. */
function withMistake(
  projection: Projection<unknown>,
  mistake: (right: Projection<unknown>) => Partial<Projection<unknown>>,
): Projection<unknown>[] {
  return projections.map((each) =>
    each.name === projection.name ? { ...each, ...mistake(each) } : each,
  );
}

describe('a read model whose projection has a mistake', () => {
  let ledger: BuiltLedger | undefined;
  afterEach(() => ledger?.stop());

  const verifyBoth = async (
    projection: Projection<unknown>,
    most?: number,
  ): Promise<VerificationReport[]> => {
    const reports = [await ledger?.sample(projection), await ledger?.full(projection, most)];
    return reports.flatMap((report) => report ?? []);
  };

  it('is named in each document', async () => {
    const mistaken = withMistake(subscriptions, (right) => ({
      project: (before, event) =>
        event.type === 'subscription.renewed.v1' ? before : right.project(before, event),
    }));
    ledger = await BuiltLedger.build(mistaken);
    const { subscriptionIds } = ledger;
    for (const report of await verifyBoth(subscriptions)) {
      expect(report.checked).toBe(8);
      const named = nameDifferences(report);
      expect(named).toHaveLength(report.total);
      for (const id of subscriptionIds) expect(named).toContain(`document of ${id}: periodsPaid`);
    }
  });

  it('is named by the lists that it forgets', async () => {
    const mistaken = withMistake(dueDates, () => ({ indexes: () => [] }));
    ledger = await BuiltLedger.build(mistaken);
    for (const report of await verifyBoth(dueDates)) {
      expect(report).toMatchObject({ checked: 8, total: 8 });
      expect(report.differences[0]).toMatchObject({ kind: 'list entry', found: undefined });
    }
  });

  it('has parked streams, which are compared at the revisions of their documents', async () => {
    const mistaken = withMistake(subscriptions, (right) => ({
      project: (before, event) => {
        if (event.type === subscriptionExpired.type) throw new Error('a mistake of ours');
        return right.project(before, event);
      },
    }));
    ledger = await BuiltLedger.build(mistaken);
    const [id = '', other = ''] = ledger.subscriptionIds;
    await ledger.store.append(`subscription-${id}`, [subscriptionExpired]);
    await ledger.store.append('subscription-sub_unknown', [subscriptionExpired]);
    await ledger.store.append(`subscription-${other}`, [
      { type: 'subscription.paused.v1', data: {} },
    ]);
    await ledger.project(mistaken);
    for (const most of [undefined, 1]) {
      for (const report of await verifyBoth(subscriptions, most)) {
        expect(report).toMatchObject({ parked: 3, differences: [], uncompared: 0 });
      }
    }
    // A document that went beyond the parked event is none that a projector wrote.
    const keys = await ledger.findKeys(subscriptions, id);
    const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
    await ledger.redis.hset(keys.documents, id, text.replace('[4,', '[5,'));
    for (const report of await verifyBoth(subscriptions)) {
      expect(nameDifferences(report)).toContain(`document of ${id}: revision`);
    }
  });
});

describe('a generation that goes away while it is verified', () => {
  let ledger: BuiltLedger | undefined;
  afterEach(() => ledger?.stop());

  it.each([
    [
      'is lost with Redis',
      async () => {
        await ledger?.redis.flushall();
      },
    ],
    [
      'is swapped',
      async () => {
        for (const { checkpointKey } of ledger?.partitions(subscriptions) ?? []) {
          const text = (await ledger?.redis.get(checkpointKey)) ?? '';
          await ledger?.redis.set(checkpointKey, text.replace(/"epoch":"../, '"epoch":"zz'));
        }
      },
    ],
  ])('ends it with an error, where it %s', async (_, goAway) => {
    for (const verify of [
      verifyFull,
      (options: Options) => verifySample({ ...options, count: 9 }),
    ]) {
      ledger = await BuiltLedger.build();
      const left: Promise<void>[] = [];
      const onProgress = () => {
        left.push(goAway());
      };
      const verified = verify({ ...ledger.options(subscriptions), onProgress });
      await expect(verified).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('the generation is not there any more') as string,
      });
      await Promise.all(left);
      await ledger.stop();
    }
  });

  it('ends with the reason of the signal', async () => {
    ledger = await BuiltLedger.build();
    for (const verify of [
      verifyFull,
      (options: Options) => verifySample({ ...options, count: 9 }),
    ]) {
      const stop = new AbortController();
      const verified = verify({
        ...ledger.options(subscriptions),
        signal: stop.signal,
        onProgress: () => stop.abort(new Error('no time')),
      });
      await expect(verified).rejects.toThrow('no time');
    }
  });
});

type Options = Parameters<typeof verifyFull>[0];
