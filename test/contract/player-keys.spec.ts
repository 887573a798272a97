import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { playerAggregate } from '#domain/player';
import {
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  type LiveAggregates,
} from '#event-store';
import { createSeal } from '#platform';
import { createPersonalData, type PersonalData } from '#tenancy';
import { MemoryEventStore } from '../support/memory-event-store.js';

const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const STREAM = `player-${PLAYER}`;
const context = {
  ...{ appId: 'app_00000001', environment: 'test' as const, actor: 'app', correlationId: 'r' },
  ...{ player: PLAYER, now: '2027-01-31T10:00:00.000Z' },
} as const;
const seal = createSeal(randomBytes(32));

let store: MemoryEventStore;

beforeEach(() => void (store = new MemoryEventStore()));

/** Of a process of its own, whose memory has the players that it was asked for. */
function create(): PersonalData {
  const commands: CommandExecutor = createCommandExecutor(store as unknown as EventStore);
  const memory = new Map<string, unknown>();
  const live = {
    recall: (_: unknown, id: string) => memory.get(id),
    get: async (_: unknown, id: string) => {
      const found = memory.get(id) ?? (await commands.load(playerAggregate, id));
      memory.set(id, found);
      return found;
    },
  } as unknown as LiveAggregates;
  return createPersonalData({ live, commands, seal });
}

describe('a player who is named', () => {
  it('for the first time gets a key, and is not read', async () => {
    await create().seal(context, 'alice', {});
    expect(store.calls).toEqual([`append ${STREAM} at no_stream`]);
  });

  it('keeps the key that another process has made', async () => {
    await create().seal(context, 'alice', {});
    const here = create();
    const personal = await here.seal(context, 'alice', { email: 'a@example.com' });
    expect(store.events(STREAM)).toHaveLength(1);
    const owner = { appId: context.appId, player: PLAYER, personal };
    expect(await here.open(owner)).toMatchObject({ accountId: 'alice', email: 'a@example.com' });
  });

  it('is in memory from the second time on', async () => {
    const here = create();
    await here.seal(context, 'alice', {});
    await here.seal(context, 'alice', {});
    store.calls.length = 0;
    await here.seal(context, 'alice', {});
    expect(store.calls).toEqual([]);
  });
});
