/** Players are erased step by step, by one and by two at once, and after a kill between any two steps. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playerAggregate } from '#domain/player';
import { createCommandExecutor, type LedgerStore, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { readErasure, readErasures } from '../../../apps/cli/src/players/erasures.js';
import {
  type ErasureOptions,
  PlayerErasure,
} from '../../../apps/cli/src/players/player-erasure.js';
import { eventually } from '../../support/eventually.js';
import { RestartableStore } from '../event-store/support.js';
import { isOnDisk, Players } from './players.js';
import { digestPurchases } from './purchase-digests.js';

let server: RestartableStore;
let store: LedgerStore;
let players: Players;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connectEventStore(server.connectionString);
  await store.namespaces.open(1);
  players = await Players.create(store);
});
afterAll(async () => {
  await store.dispose();
  await server.remove();
});

function erasure(player: string, on: LedgerStore = store): PlayerErasure {
  const options: Omit<ErasureOptions, 'player'> = {
    ...{ store: on, commands: players.commands, app: players.app },
    onProgress: () => undefined,
  };
  return new PlayerErasure({ ...options, player });
}

const readTypes = (player: string) => players.readTypes(player);
const untilDone = (player: string) =>
  eventually(async () => (await readErasure(store, player))?.due === 'nothing', {
    ...{ what: 'the scavenge', limitMs: 20_000 },
  });

/** The same store, with another one of its parts. */
function having(parts: Partial<Record<keyof LedgerStore, unknown>>): LedgerStore {
  return new Proxy(store, {
    get: (target, name: keyof LedgerStore) => {
      const member: unknown = parts[name] ?? Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
const own = { list: () => store.scavenges.list(), nodes: () => store.scavenges.nodes() };
const noScavenges = { ...own, start: async () => undefined };

describe('a player with nothing open', () => {
  it('is erased: key and account id are gone from the stream, from $all and from the disk', async () => {
    const player = await players.register();
    const key = (await players.sealedKey(player)).split('.').at(-1) ?? '';
    expect(await isOnDisk(server.dataDir, key)).toBe(true);
    const report = await erasure(player).run();
    expect(report).toMatchObject({ canceled: [], mayScavenge: true, late: [] });
    expect(await readTypes(player)).toEqual(['player.erased.v1']);
    await untilDone(player);
    expect(await isOnDisk(server.dataDir, key)).toBe(false);
    expect(await players.accountId(player)).toBe('erased');
  });

  it('is erased once by two at once, and comes back under another key, to be erased again', async () => {
    const player = await players.register();
    await Promise.all([erasure(player).run(), erasure(player).run()]);
    expect(await readTypes(player)).toEqual(['player.erased.v1']);
    await players.register(player);
    expect(await players.accountId(player)).toBe(`account of ${player}`);
    const key = (await players.sealedKey(player)).split('.').at(-1) ?? '';
    const { erasure: second } = await erasure(player).run();
    expect(second).toMatchObject({ player, revision: 3 });
    expect(await readTypes(player)).toEqual(['player.erased.v1']);
    await untilDone(player);
    expect(await isOnDisk(server.dataDir, key)).toBe(false);
  });

  it.each([
    ['the erasure', 0],
    ['the truncation', 1],
    ['the scavenge', 2],
  ])('is erased by the next run where one was killed before %s', async (_, steps) => {
    const player = await players.register();
    let left = steps;
    const dying = <Act extends (...args: never[]) => unknown>(act: Act) =>
      ((...args) => {
        if ((left -= 1) < 0) throw new Error('killed');
        return act(...args);
      }) as Act;
    const on = having({
      append: dying((...event: Parameters<LedgerStore['append']>) => store.append(...event)),
      truncations: {
        find: (name: string) => store.truncations.find(name),
        truncate: dying((name: string, at: number) => store.truncations.truncate(name, at)),
      },
      scavenges: { ...own, start: dying(() => store.scavenges.start()) },
    });
    const killed = new PlayerErasure({
      ...{ store: on, commands: createCommandExecutor(on), app: players.app, player },
      onProgress: () => undefined,
    });
    await expect(killed.run()).rejects.toThrow('killed');
    await erasure(player).run();
    expect(await readTypes(player)).toEqual(['player.erased.v1']);
    await untilDone(player);
  });

  it('has a scavenge due where the user may start none; one that ended before does not count', async () => {
    const player = await players.register();
    const report = await erasure(player, having({ scavenges: noScavenges })).run();
    expect(report).toMatchObject({ mayScavenge: false, erasure: { due: 'scavenge' } });
    const all = await readErasures(store, () => undefined);
    expect(all.filter(({ due }) => due !== 'nothing').map((each) => each.player)).toEqual([player]);
    await store.scavenges.start();
    await untilDone(player);
  });

  it('has one scavenge started where the user may start them, and may not read of them', async () => {
    const player = await players.register();
    let started = 0;
    const start = async () => `scavenge ${(started += 1)}`;
    const on = having({ scavenges: { start, list: async () => undefined } });
    expect(await erasure(player, on).run()).toMatchObject({ mayScavenge: true });
    expect(started).toBe(1);
    await erasure(player).run();
    await untilDone(player);
  });

  it.each(['Failed', 'Stopped'])(
    'tells that its scavenge has ended as %s, and starts no other',
    async (result) => {
      const player = await players.register();
      let started = 0;
      const start = async () => `scavenge ${(started += 1)}`;
      const error = 'the disk is full';
      const ended = { id: 'scavenge 1', startedPosition: START, startedAt: 'x', endedAt: 'y' };
      const list = async () => (started > 0 ? [{ ...ended, node: 'n1:1', result, error }] : []);
      await expect(
        erasure(player, having({ scavenges: { ...own, start, list } })).run(),
      ).rejects.toThrow(`ended as ${result}: the disk is full. Run the command again`);
      expect(started).toBe(1);
      await erasure(player).run();
      await untilDone(player);
    },
  );

  it('who has come back since a run was killed is not erased again by the next, and the former key goes', async () => {
    const player = await players.register();
    const key = (await players.sealedKey(player)).split('.').at(-1) ?? '';
    const command = { kind: 'ErasePlayer', now: players.context(player).now } as const;
    await players.commands.execute(playerAggregate, player, command, players.context(player));
    await players.register(player);
    const subscription = await players.subscribe(player);
    expect(await readErasure(store, player)).toMatchObject({ due: 'truncation' });
    expect(await erasure(player).run()).toMatchObject({ hasReturned: true, late: [] });
    expect(await readTypes(player)).toEqual(['player.erased.v1', 'player.registered.v1']);
    await untilDone(player);
    expect(await isOnDisk(server.dataDir, key)).toBe(false);
    expect(await players.accountId(player)).toBe(`account of ${player}`);
    // From here on it is as with any other player.
    await expect(erasure(player).run()).rejects.toMatchObject({ kind: 'refused' });
    await players.cancel(player, subscription);
    expect(await erasure(player).run()).toMatchObject({ hasReturned: false });
  });

  it('leaves all that a rebuild reads exactly as it was: purchases, amounts, hashes and places', async () => {
    const player = await players.register();
    await players.cancel(player, await players.subscribe(player));
    await players.capture(player, await players.pay(player));
    const before = await digestPurchases(store);
    expect(before.size).toBeGreaterThanOrEqual(4);
    await erasure(player).run();
    await untilDone(player);
    expect(await digestPurchases(store)).toEqual(before);
  });

  it('of another app is refused, is not ended, and is not shown', async () => {
    const other = await Players.create(store);
    const player = await other.register();
    const subscription = await other.subscribe(player);
    await expect(erasure(player).run({ waitMs: 1 })).rejects.toThrow('has no player');
    await expect(erasure(player).run()).rejects.toThrow('has no player');
    const events = await digestPurchases(store);
    expect([...events.keys()].filter((key) => key.includes(subscription))).toHaveLength(1);
    expect(await readTypes(player)).toEqual(['player.registered.v1']);
    // Without a key of its own, too: the purchase alone names the app.
    const old = randomBytes(16).toString('hex');
    await other.subscribe(old);
    await expect(erasure(old).run({ waitMs: 1 })).rejects.toThrow('has no player');
  });

  it('that the app does not know is refused', async () => {
    const unknown = 'ab'.repeat(16);
    await expect(erasure(unknown).run()).rejects.toThrow('has no player');
    expect(await readTypes(unknown)).toEqual([]);
  });
});

describe('a player with something open', () => {
  it('is not erased, and every reason is named', async () => {
    const player = await players.register();
    const subscription = await players.subscribe(player);
    const [pending, disputed] = [await players.pay(player), await players.pay(player)];
    await players.capture(player, disputed);
    await players.dispute(player, disputed);
    const link = await players.attempt(player);
    const refused = {
      kind: 'refused',
      details: [
        expect.stringMatching(`subscription ${subscription} is active: .*--cancel`),
        expect.stringMatching(`payment ${pending} is PENDING: wait`),
        expect.stringMatching(`dispute ${disputed} is open: wait`),
        expect.stringMatching(`checkout ${link} is under way: wait`),
      ],
    };
    await expect(erasure(player).run()).rejects.toMatchObject(refused);
    // A purchase that ends with the subscriptions alone is no reason to end them.
    const left = { details: refused.details.slice(1) };
    await expect(erasure(player).run({ waitMs: 1 })).rejects.toMatchObject(left);
    const { details } = refused;
    await expect(erasure(player).run()).rejects.toMatchObject({ details });
    expect(await readTypes(player)).toEqual(['player.registered.v1']);
  });

  it('is erased with --cancel when the webhooks about it are out, and not before', async () => {
    const player = await players.register();
    const subscription = await players.subscribe(player);
    const canceling = () => erasure(player).run({ waitMs: 1 });
    await expect(canceling()).rejects.toMatchObject({ reason: 'WEBHOOKS_NOT_DELIVERED' });
    const position = await store.headPosition();
    await players.recordBackup(player, position, [
      `${position} whe_1 subscription-${subscription} 1 0 msg_1`,
    ]);
    await expect(canceling()).rejects.toThrow('1 webhooks about the player are not delivered');
    expect(await readTypes(player)).toEqual(['player.registered.v1']);
    await players.recordBackup(player, position, [
      `${position} whe_1 subscription-sub_other 1 0 msg_2`,
    ]);
    expect(await canceling()).toMatchObject({ canceled: [], erasure: { player } });
  });

  it('is not erased with --cancel while a backlogged endpoint is owed webhooks about it', async () => {
    const player = await players.register();
    await players.subscribe(player);
    const before = await store.headPosition();
    const canceling = () => erasure(player).run({ waitMs: 1 });
    await expect(canceling()).rejects.toMatchObject({ reason: 'WEBHOOKS_NOT_DELIVERED' });
    const backlogged = await players.addEndpoint(['subscription.expired', 'payment.*']);
    const head = await store.headPosition();
    const behind = (id: string, after: string) =>
      players.recordBackup(player, head, [], [{ endpointId: id, after }]);
    await behind(backlogged, before);
    await expect(canceling()).rejects.toThrow('1 webhooks about the player are not delivered');
    expect(await readTypes(player)).toEqual(['player.registered.v1']);
    await behind(await players.addEndpoint(['dispute.*']), before);
    await behind('whe_of_another_app', before);
    await behind(backlogged, head);
    expect(await canceling()).toMatchObject({ canceled: [], erasure: { player } });
  });

  it('shows what began between the last poll and the erasure', async () => {
    const player = await players.register();
    let late = '';
    const on = having({
      truncations: {
        find: (name: string) => store.truncations.find(name),
        truncate: async (name: string, before: number) => {
          late = await players.subscribe(player);
          return store.truncations.truncate(name, before);
        },
      },
    });
    const report = await erasure(player, on).run();
    const left = { late: [{ kind: 'subscription', id: late, status: 'active' }] };
    expect(report).toMatchObject(left);
    expect(await erasure(player).run()).toMatchObject(left);
    await store.scavenges.start();
    await untilDone(player);
  });
});
