import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '#domain/event';
import { decodeCheckpoint } from '#projection-engine';
import { projections, subscriptions } from '#projections';
import type { VerificationReport } from '#verification';
import { subscriptionCreated } from '../projection-engine/support.js';
import { BuiltLedger, nameDifferences } from './support.js';

const CREATED_AT = '2026-01-31T10:00:00.000Z';

/** Each test undoes its change: the ledger is clean before and after it. */
describe('the verification of a read model', () => {
  let ledger: BuiltLedger;
  let id: string;
  let keys: Awaited<ReturnType<BuiltLedger['findKeys']>>;

  beforeAll(async () => {
    ledger = await BuiltLedger.build();
    [id = ''] = ledger.subscriptionIds;
    keys = await ledger.findKeys(subscriptions, id);
  });
  afterAll(() => ledger.stop());

  const ways: readonly (readonly [
    string,
    (ids?: readonly string[]) => Promise<VerificationReport>,
  ])[] = [
    ['a sample', (ids) => ledger.sample(subscriptions, ids)],
    ['all at once', () => ledger.full(subscriptions)],
    ['all in parts of partitions', () => ledger.full(subscriptions, 1)],
  ];
  const list = ['app', 'app_01benchhistories', 'active'] as const;
  const readMember = async () => {
    const members = await ledger.redis.zrange(keys.index(list), 0, '-1');
    return members.find((member) => member.endsWith(id)) ?? '';
  };

  it.each(projections)('finds nothing in $name, as it is', async (projection) => {
    const clean = { differences: [], total: 0, uncompared: 0, parked: 0 };
    const sampled = await ledger.sample(projection);
    expect(sampled).toMatchObject(clean);
    for (const most of [undefined, 1, 5]) {
      expect(await ledger.full(projection, most)).toMatchObject({
        ...clean,
        checked: sampled.checked,
      });
    }
    const documents = { subscriptions: 8, 'due-dates': 8, payments: 24 };
    // The histories have no documents of other kinds.
    const { [projection.name as 'payments']: count = 0 } = documents;
    expect(sampled.checked).toBe(count);
  });

  describe.each(ways)('by %s', (_, verify) => {
    it('names the field of a document that was altered, with both versions', async () => {
      const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
      await ledger.redis.hset(keys.documents, id, text.replace('"999"', '"998"'));
      const { differences, total } = await verify();
      expect(differences).toMatchObject([
        {
          ...{ kind: 'document', id, streamName: `subscription-${id}`, revision: 4 },
          ...{ field: 'price.amountMinor', expected: '"999"', found: '"998"' },
        },
      ]);
      expect(total).toBe(1);
      await ledger.redis.hset(keys.documents, id, text);
    });

    it('names a document that is behind its events, or ahead of them', async () => {
      const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
      for (const [revision, found] of [
        ['[3,', '3'],
        ['[5,', '5'],
      ] as const) {
        await ledger.redis.hset(keys.documents, id, text.replace('[4,', revision));
        const { differences } = await verify();
        expect(differences).toContainEqual(
          expect.objectContaining({ kind: 'document', field: 'revision', expected: '4', found }),
        );
      }
      await ledger.redis.hset(keys.documents, id, text);
    });

    it('compares a document that is behind its events at its own revision', async () => {
      const [, other = ''] = ledger.subscriptionIds;
      const { documents } = await ledger.findKeys(subscriptions, other);
      const text = (await ledger.redis.hget(documents, other)) ?? '';
      await ledger.store.append(`subscription-${other}`, [PAYMENT_METHOD_CHANGED]);
      await ledger.project();
      const later = (await ledger.redis.hget(documents, other)) ?? '';
      await ledger.redis.hset(documents, other, text);
      const { differences } = await verify();
      expect(differences).toMatchObject([{ kind: 'document', id: other, field: 'revision' }]);
      await ledger.redis.hset(documents, other, later);
    });

    it('names a document that no projector wrote', async () => {
      const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
      await ledger.redis.hset(keys.documents, id, 'nonsense');
      const { differences } = await verify();
      expect(differences).toMatchObject([{ kind: 'document', id, field: '', found: 'nonsense' }]);
      await ledger.redis.hset(keys.documents, id, text);
    });

    it('names a document that is missing', async () => {
      const text = (await ledger.redis.hget(keys.documents, id)) ?? '';
      await ledger.redis.hdel(keys.documents, id);
      // A sample looks for documents of the other generation.
      const report = await verify([id]);
      expect(nameDifferences(report)).toContain(`missing of ${id}: `);
      expect(report.differences[0]).toMatchObject({ found: undefined, revision: -1 });
      await ledger.redis.hset(keys.documents, id, text);
    });

    it('names an entry that is missing', async () => {
      const member = await readMember();
      await ledger.redis.zrem(keys.index(list), member);
      const { differences } = await verify();
      const field = `${list.join('/')} ${member}`;
      expect(differences).toMatchObject([
        { kind: 'list entry', id, field, expected: '0', found: undefined },
      ]);
      await ledger.redis.zadd(keys.index(list), 0, member);
    });

    it('names an entry at another score', async () => {
      const member = await readMember();
      await ledger.redis.zadd(keys.index(list), 7, member);
      const { differences } = await verify();
      expect(differences).toMatchObject([{ kind: 'list entry', id, expected: '0', found: '7' }]);
      await ledger.redis.zadd(keys.index(list), 0, member);
    });

    it('names a document whose stream has no events', async () => {
      const stray = id.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
      await ledger.redis.hset(keys.documents, stray, '[0]');
      const { differences } = await verify();
      expect(differences).toMatchObject([{ kind: 'unexpected', id: stray, found: '[0]' }]);
      await ledger.redis.hdel(keys.documents, stray);
    });
  });

  it.each(ways.slice(1))('by %s names entries that lead nowhere', async (_, verify) => {
    const strange = ['player', 'app:1', 'x%', 'expired'] as const;
    await ledger.redis.zadd(keys.index(strange), 0, `0000000000${id}`);
    await ledger.redis.zadd(keys.index(list), 0, 'junk');
    const report = await verify();
    expect(nameDifferences(report).sort()).toEqual([
      `list entry of : ${list.join('/')} junk`,
      `list entry of ${id}: player/app:1/x%/expired 0000000000${id}`,
    ]);
    await ledger.redis.zrem(keys.index(strange), `0000000000${id}`);
    await ledger.redis.zrem(keys.index(list), 'junk');
  });

  it('by all at once names a copy in another partition', async () => {
    const mine = (await ledger.redis.hget(keys.documents, id)) ?? '';
    const elsewhere = ledger
      .partitions(subscriptions)
      .find(({ keys: { prefix } }) => !keys.prefix.startsWith(`${prefix}:`));
    const { epoch = '' } =
      decodeCheckpoint(await ledger.redis.get(elsewhere?.checkpointKey ?? '')) ?? {};
    const { documents = '' } = elsewhere?.keys.generation(epoch) ?? {};
    await ledger.redis.hset(documents, id, mine);
    for (const most of [undefined, 1]) {
      expect(nameDifferences(await ledger.full(subscriptions, most))).toEqual([
        `unexpected of ${id}: `,
      ]);
    }
    await ledger.redis.hdel(documents, id);
  });

  it('finds an entry of an earlier state in a sample', async () => {
    await ledger.store.append(`subscription-${id}`, [
      { type: 'subscription.expired.v1', data: { ...EXPIRED } },
    ]);
    await ledger.project();
    expect(nameDifferences(await ledger.sample(subscriptions))).toEqual([]);
    const [member = ''] = await ledger.redis.zrange(keys.index(EXPIRED_LIST), 0, '-1');
    await ledger.redis.zadd(keys.index(list), 0, member);
    for (const report of [await ledger.sample(subscriptions), await ledger.full(subscriptions)]) {
      expect(nameDifferences(report)).toEqual([`list entry of ${id}: ${list.join('/')} ${member}`]);
    }
    await ledger.redis.zrem(keys.index(list), member);
  });

  it('names a document whose events came before the checkpoint, and none that comes later', async () => {
    const streamName = `subscription-${id.replace(/.$/, (last) => (last === 'c' ? 'd' : 'c'))}`;
    await ledger.store.append(streamName, [subscriptionCreated(idOf(streamName), CREATED_AT)]);
    expect(nameDifferences(await ledger.full(subscriptions))).toEqual([]);
    await ledger.project();
    expect(nameDifferences(await ledger.full(subscriptions))).toEqual([]);
    await ledger.redis.hdel(keys.documents, idOf(streamName));
    // Nothing in Redis leads to it any more.
    for (const index of [
      ['app', 'app_1', 'active'],
      ['player', 'app_1', '5f2a9c04d1e84b7796ab30c2d4e5f601', 'active'],
    ] as const) {
      expect(await ledger.redis.del(keys.index(index))).toBe(1);
    }
    expect(nameDifferences(await ledger.full(subscriptions))).toContain(
      `missing of ${idOf(streamName)}: `,
    );
  });
});

const PAYMENT_METHOD_CHANGED = {
  type: 'subscription.payment_method_changed.v1',
  data: { linkId: 'link_1', paymentMethod: 'pm_other', changedAt: '2026-02-01T10:00:00.000Z' },
};
const EXPIRED = {
  ...{ cause: 'period_ended', expiredAt: '2026-02-28T10:00:00.000Z', canceledAt: null },
};
const EXPIRED_LIST = ['app', 'app_01benchhistories', 'expired'] as const;
