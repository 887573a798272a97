import { beforeEach, describe, expect, it } from 'vitest';
import { playerAggregate } from '#domain/player';
import { type CommandContext, createCommandExecutor } from '#event-store';
import { createSeal, Fault, fixedMasterKeys } from '#platform';
import { given } from '../../libs/domain/src/decider/spec-support/given.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { loadingPersonalData } from '../support/personal-data.js';
import { PlayerKey } from '../../libs/tenancy/src/player-key.js';

const [ANN, BOB] = ['5f2a9c04d1e84b7796ab30c2d4e5f601', '77aa9c04d1e84b7796ab30c2d4e5f602'];
const seal = createSeal(Buffer.alloc(32, 7));
/** The studio's names of the player and of the purchase. */
const NAMES = { accountId: 'player-1' };
const TEXTS = { referenceId: 'order-7', metadata: { campaign: 'launch' } };

let store: MemoryEventStore;
let data: ReturnType<typeof loadingPersonalData>;
beforeEach(() => {
  store = new MemoryEventStore();
  data = dataUnder(seal);
});

function dataUnder(other: typeof seal) {
  return loadingPersonalData(commandsOn(store), other);
}

function commandsOn(on: MemoryEventStore) {
  // As much of a store as commands need.
  return createCommandExecutor(on as never, { cacheSize: 0 });
}

async function erase(player: string): Promise<void> {
  const context = contextFor(player);
  const command = { kind: 'ErasePlayer', now: context.now } as const;
  await commandsOn(store).execute(playerAggregate, player, command, context);
}

function contextFor(player: string, appId = 'app_1'): CommandContext & { readonly player: string } {
  const now = '2027-01-31T10:00:00.000Z';
  return { appId, environment: 'test', actor: 'app', correlationId: 'r', now, player };
}

const ownerFor = (player: string, personal: object, appId = 'app_1') => {
  return { appId, player, personal };
};

async function readPlayer(player: string) {
  const events = [];
  for await (const { type, data } of store.readStream(`player-${player}`))
    events.push({ type, data });
  return events;
}

describe('what a studio tells of a player', () => {
  it('stands sealed in the texts of the purchase, and the account id once, in the stream of the player', async () => {
    const personal = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    expect(personal).toEqual({
      referenceId: expect.stringMatching(/^p1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+\.[\w-]+$/),
      metadata: expect.stringMatching(/^p1\./),
    });
    const again = await data.seal(contextFor(ANN), 'player-1', {});
    expect(again).toEqual({});
    const events = await readPlayer(ANN);
    expect(events.map(({ type }) => type)).toEqual(['player.registered.v1']);
    expect(JSON.stringify([events, personal])).not.toMatch(/player-1|order-7|launch/);
    expect(await data.open(ownerFor(ANN, personal))).toEqual({ ...NAMES, ...TEXTS });
    expect(await data.names(ownerFor(ANN, personal))).toEqual({ ...NAMES, referenceId: 'order-7' });
    expect(await data.open(ownerFor(ANN, again))).toEqual({ accountId: 'player-1' });
    expect(await data.accountId(ownerFor(ANN, personal))).toBe('player-1');
  });

  it('opens with its e-mail and the address of the browser, each where there is one', async () => {
    const texts = { email: 'ann@example.com', ipAddress: '203.0.113.7' };
    const personal = await data.seal(contextFor(ANN), 'player-1', texts);
    expect(JSON.stringify(personal)).not.toMatch(/ann@|203/);
    expect(await data.open(ownerFor(ANN, personal))).toEqual({ accountId: 'player-1', ...texts });
  });

  it('is sealed under the key that there is, and gives none a key who has none any more', async () => {
    const texts = { ipAddress: '203.0.113.7' };
    const unknown = data.sealPresent({ appId: 'app_1', player: ANN }, texts);
    await expect(unknown).rejects.toThrow('has no stream');
    await data.seal(contextFor(ANN), 'player-1', {});
    const personal = await data.sealPresent({ appId: 'app_1', player: ANN }, texts);
    expect(await data.open(ownerFor(ANN, personal))).toEqual({ accountId: 'player-1', ...texts });
    await erase(ANN);
    expect(await data.sealPresent({ appId: 'app_1', player: ANN }, texts)).toEqual({});
    expect((await readPlayer(ANN)).map(({ type }) => type).at(-1)).toBe('player.erased.v1');
  });

  it('opens as nothing else: not for another player, app or field', async () => {
    const personal = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    await data.seal(contextFor(BOB), 'player-2', TEXTS);
    // Under the other player's key there is nothing of this one.
    expect(await data.open(ownerFor(BOB, personal))).toEqual({ accountId: 'player-2' });
    const swapped = { metadata: personal.referenceId };
    await expect(data.open(ownerFor(ANN, swapped))).rejects.toThrow(Fault);
    await expect(data.open(ownerFor(ANN, personal, 'app_2'))).rejects.toThrow(Fault);
    const key = (appId: string, player: string) =>
      new PlayerKey(appId, player, Buffer.alloc(32, 1));
    const sealed = key('app_1', ANN).seal('metadata', '{}');
    expect(key('app_1', ANN).open('metadata', sealed)).toBe('{}');
    expect(() => key('app_1', BOB).open('metadata', sealed)).toThrow(Fault);
    expect(() => key('app_2', ANN).open('metadata', sealed)).toThrow(Fault);
  });

  it('is opened as it was years ago', () => {
    const key = new PlayerKey('app_1', ANN, Buffer.alloc(32, 1));
    expect(
      key.open(
        'metadata',
        'p1.4ce2c706.CQkJCQkJCQkJCQkJ.aBphEzBdi0876hRLYYXp-Q.vy1Er6NAZ6gYOmh1jLHkYvekFthJ',
      ),
    ).toBe('{"campaign":"launch"}');
  });

  it('is gone with the key, and a player who comes back gets another one', async () => {
    const personal = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    await erase(ANN);
    expect(await data.open(ownerFor(ANN, personal))).toEqual({ accountId: 'erased' });
    const later = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    expect(await data.open(ownerFor(ANN, personal))).toEqual({ accountId: 'player-1' });
    expect(await data.open(ownerFor(ANN, later))).toMatchObject({ metadata: TEXTS.metadata });
  });

  it('is registered at no time before the erasure, whatever the clock of a machine shows', async () => {
    await erase(ANN);
    const behind = { ...contextFor(ANN), now: '2027-01-31T09:59:59.000Z' };
    await data.seal(behind, 'player-1', {});
    const [, registered] = await readPlayer(ANN);
    expect(registered).toMatchObject({ data: { registeredAt: contextFor(ANN).now } });
  });

  it('is asked for anew where memory is behind: of one who came back, and of one who is new', async () => {
    const personal = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    for (const status of ['erased', 'none']) {
      const behind = loadingPersonalData(commandsOn(store), seal, { status });
      expect(await behind.open(ownerFor(ANN, personal))).toMatchObject({ accountId: 'player-1' });
      expect(behind.recallNames(ownerFor(ANN, personal))).toBeUndefined();
    }
  });

  it('of one who was erased is asked for once, however long a list is', async () => {
    const owner = ownerFor(ANN, await data.seal(contextFor(ANN), 'player-1', TEXTS));
    await erase(ANN);
    const knowing = loadingPersonalData(commandsOn(store), seal, { status: 'erased' });
    store.calls.length = 0;
    const shown = await Promise.all(Array.from({ length: 50 }, () => knowing.accountId(owner)));
    expect(new Set(shown)).toEqual(new Set(['erased']));
    expect(store.calls).toHaveLength(1);
  });

  it('fails, and does not pass for erased, where the player of a purchase is not there', async () => {
    await expect(data.open(ownerFor(ANN, {}))).rejects.toThrow('has no stream');
    await expect(data.accountId(ownerFor(ANN, {}))).rejects.toThrow(Fault);
  });

  it('opens under a key that was sealed anew under another master key', async () => {
    const personal = await data.seal(contextFor(ANN), 'player-1', TEXTS);
    const [present, former] = [Buffer.alloc(32, 9), Buffer.alloc(32, 7)];
    const rotated = dataUnder(createSeal(fixedMasterKeys([present, former])));
    expect(await rotated.accountId(ownerFor(ANN, personal))).toBe('player-1');
    await expect(dataUnder(createSeal(present)).accountId(ownerFor(ANN, personal))).rejects.toThrow(
      Fault,
    );
  });
});

describe('one look at a player', () => {
  const at = (n: number) => String(n).padStart(20, '0');

  it('goes by the key of its moment, and knows what was before an erasure', async () => {
    const owner = ownerFor(ANN, await data.seal(contextFor(ANN), 'player-1', TEXTS));
    const before = await data.access(owner);
    await erase(ANN);
    const after = await data.access(owner);
    expect([before.isErased, after.isErased]).toEqual([false, true]);
    expect([before.open(owner).accountId, after.open(owner)]).toEqual([
      ...['player-1', { accountId: 'erased' }],
    ]);
    expect([before.wasErasedAfter(at(1)), after.wasErasedAfter(at(1))]).toEqual([false, true]);
    expect(after.wasErasedAfter(at(9))).toBe(false);
  });

  it('asks for nothing where memory has the player, and for the erasure of one who came back', async () => {
    const owner = ownerFor(ANN, await data.seal(contextFor(ANN), 'player-1', TEXTS));
    const remembering = async () => {
      const { state, revision } = await commandsOn(store).load(playerAggregate, ANN);
      return loadingPersonalData(commandsOn(store), seal, state, revision);
    };
    expect((await remembering()).access(owner)).not.toBeInstanceOf(Promise);
    await erase(ANN);
    await data.seal(contextFor(ANN), 'player-1', {});
    const returned = await (await remembering()).access(owner);
    expect([returned.wasErasedAfter(at(1)), returned.wasErasedAfter(at(9))]).toEqual([true, false]);
  });
});

describe('a player', () => {
  const now = '2027-01-31T10:00:00.000Z';
  const register = {
    kind: 'RegisterPlayer',
    player: { sealedKey: 'k', sealedAccountId: 'a' },
    now,
  } as const;
  const erase = { kind: 'ErasePlayer', now } as const;

  it('has the first key of several that come at once', () => {
    const known = given(playerAggregate.decider).when(register);
    expect(known).toHaveLength(1);
    const second = { ...register, player: { ...register.player, sealedKey: 'other' } };
    expect(given(playerAggregate.decider, ...known).when(second)).toEqual([]);
  });

  it('is erased once, also where there was no key yet, and has another key afterwards', () => {
    const { decider } = playerAggregate;
    const erased = { type: 'player.erased.v1', data: { erasedAt: now } } as const;
    const registered = given(decider).when(register);
    expect(given(decider, ...registered).when(erase)).toEqual([erased]);
    expect(given(decider).when(erase)).toEqual([erased]);
    // The events before it are gone from its stream.
    const after = given(decider, erased);
    expect(after.when(erase)).toEqual([]);
    expect(after.when(register)).toEqual(registered);
    expect(after.when({ kind: 'ResealKey', former: 'k', sealedKey: 'other' })).toEqual([]);
  });
});
