import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appAggregate } from '#domain/app';
import { playerAggregate } from '#domain/player';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { createCommandExecutor, type LedgerStore, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, fixedMasterKeys, newAppId, newId, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { walkSealedStreams } from '../../../apps/cli/src/master-key/sealed-streams.js';
import { loadingPersonalData } from '../../support/personal-data.js';
import { RestartableStore } from '../event-store/support.js';

const APPS = 40;
const [former, present] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const formerSeal = createSeal(former);
const goneSeal = createSeal(Buffer.alloc(32, 9));
const DAY_MS = 86_400_000;
const rotating = createSeal(fixedMasterKeys([present, former]));
const [presentId = '', formerId = ''] = rotating.keyIds();
/** Sealed under `former`, as the signing secret of this app. */
const GOLDEN = 'v3.aad243d5aeee.CQkJCQkJCQkJCQkJ.XqjMlbez7eL_M3kqs1H3xw.ehyYNacUv26JDg';
const GOLDEN_APP = 'app_1';

let server: RestartableStore;
let store: LedgerStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connectEventStore(server.connectionString);
  const appIds = Array.from({ length: APPS - 1 }, () => newAppId(wallClock.now()));
  await Promise.all([GOLDEN_APP, ...appIds].map(createApp));
});
afterAll(async () => {
  await store.dispose();
  await server.remove();
});

const now = wallClock.now();
const contextIn = (appId: string) =>
  ({ appId, environment: 'test', actor: 'cli', correlationId: 'r', now }) as const;

async function createApp(appId: string): Promise<void> {
  const commands = createCommandExecutor(store);
  const { sealed } = await createAppSecrets(formerSeal).createFor(appId);
  const app = { appId, name: appId, environment: 'test', createdAt: now, ...sealed } as const;
  await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, contextIn(appId));
  if (appId !== GOLDEN_APP) return;
  const endpoint = {
    endpointId: newId('whe', now, 'aa'),
    appId,
    url: 'https://studio.example/',
    eventTypes: ['*'],
    accept: '2xx',
    // It has expired by the time that the streams are walked; its key is gone.
    sealedSecret: createAppSecrets(goneSeal).create(appId, 'webhook secret').sealed,
    createdAt: now,
  } as const;
  const create = { kind: 'CreateWebhookEndpoint', endpoint } as const;
  const { endpointId } = endpoint;
  const rotate = (sealedSecret: string, overlapMs: number) =>
    ({ kind: 'RotateWebhookSecret', sealedSecret, overlapMs, wallNow: now }) as const;
  const newest = createAppSecrets(formerSeal).create(appId, 'webhook secret');
  for (const command of [create, rotate(GOLDEN, 1), rotate(newest.sealed, DAY_MS)]) {
    await commands.execute(webhookEndpointAggregate, endpointId, command, contextIn(appId));
  }
}

function walk({ isDryRun = false, seal = rotating, on = store, after = START } = {}) {
  return walkSealedStreams({ store: on, seal, after, isDryRun });
}

/** A store that takes so many appends, and is out of reach then. */
function dyingStore(appends: number): LedgerStore {
  let left = appends;
  return new Proxy(store, {
    get: (target, name: keyof LedgerStore) => {
      if (name === 'append' && (left -= 1) < 0) return () => Promise.reject(new Error('killed'));
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

describe('secrets under a former master key', () => {
  const all = { streams: APPS + 1, unopenable: 0, unopenableStreams: [] };

  it('are counted by their key, and nothing is changed', async () => {
    const { count } = await walk({ isDryRun: true });
    const secrets = new Map([[formerId, 4 * APPS + 2]]);
    expect(count).toEqual({ ...all, secrets, resealed: 0 });
  });

  it('that do not open stay, are named, and keep no other ones from being sealed anew', async () => {
    const seal = createSeal(present);
    const { count } = await walk({ seal });
    expect(count).toMatchObject({ resealed: 0, unopenable: APPS + 1 });
    expect(count.unopenableStreams).toContain(`app-${GOLDEN_APP}`);
  });

  it('are sealed anew; a run that was killed is gone on with', async () => {
    await expect(walk({ on: dyingStore(10) })).rejects.toThrow('killed');
    const { count: halfway } = await walk({ isDryRun: true });
    expect(halfway.secrets.get(presentId)).toBe(40);
    const { count, upTo } = await walk();
    expect(count).toEqual({
      ...{ ...all, secrets: new Map([[presentId, 4 * APPS + 2]]) },
      resealed: 4 * APPS + 2 - 40,
    });
    const { count: again } = await walk();
    expect(again).toMatchObject({ resealed: 0 });

    // Another program has not seen the new key yet.
    await createApp(newAppId(wallClock.now()));
    const { count: since } = await walk({ after: upTo });
    expect(since.resealed).toBe(4);
    const { state } = await createCommandExecutor(store).load(appAggregate, GOLDEN_APP);
    if (state.status !== 'created') throw new Error('there is no app');
    const secrets = createAppSecrets(createSeal(present));
    expect(secrets.pseudonym(state, 'player-1')).toBe(
      createAppSecrets(rotating).pseudonym(state, 'player-1'),
    );
    expect(secrets.ingressKeys(state, now)).toHaveLength(1);
  });
});

describe('the keys of players', () => {
  const context = (player: string) => ({ ...contextIn(GOLDEN_APP), player });
  const erase = { kind: 'ErasePlayer', now } as const;

  it('are sealed anew: of one who came back, the key that counts, and none of one who was erased', async () => {
    const commands = createCommandExecutor(store);
    const data = loadingPersonalData(commands, formerSeal);
    const [ann = '', bob = '', eve = ''] = ['a1', 'b2', 'e5'].map((digits) => digits.repeat(16));
    for (const player of [ann, bob, eve]) await data.seal(context(player), player, {});
    await commands.execute(playerAggregate, bob, erase, context(bob));
    await data.seal(context(bob), bob, {});
    await commands.execute(playerAggregate, eve, erase, context(eve));
    expect((await walk()).count.resealed).toBe(2);
    const after = loadingPersonalData(createCommandExecutor(store), createSeal(present));
    const show = (player: string) => after.accountId({ appId: GOLDEN_APP, player, personal: {} });
    expect(await Promise.all([ann, bob, eve].map(show))).toEqual([ann, bob, 'erased']);
  });

  it('that a newer release wrote are not passed over', async () => {
    const { appId, environment, actor } = contextIn(GOLDEN_APP);
    const metadata = { $correlationId: 'r', appId, environment, actor, occurredAt: now };
    const event = { id: randomUUID(), type: 'player.registered.v9', data: {}, metadata };
    await store.append(`player-${'f6'.repeat(16)}`, 'no_stream', [event]);
    await expect(walk()).rejects.toThrow('which a newer release wrote');
  });
});
