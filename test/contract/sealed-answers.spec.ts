import { beforeEach, describe, expect, it } from 'vitest';
import { playerAggregate } from '#domain/player';
import { type CommandExecutor, createCommandExecutor } from '#event-store';
import { createSeal, Fault } from '#platform';
import type { PersonalData } from '#tenancy';
import { cutAnswer } from '#worker-state';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { loadingPersonalData } from '../support/personal-data.js';

const ANN = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const BOB = '77aa9c04d1e84b7796ab30c2d4e5f602';
const now = '2027-01-31T10:00:00.000Z';
const context = {
  ...{ appId: 'app_1', actor: 'app', correlationId: 'r', now, player: ANN },
  environment: 'test' as const,
};
const owner = { appId: 'app_1', player: ANN, personal: {} };
const at = (n: number) => String(n).padStart(20, '0');
const to = (position = at(9)) => ({ messageId: 'msg_1', position });

let commands: CommandExecutor;
let data: PersonalData;
beforeEach(() => {
  // As much of a store as commands need.
  commands = createCommandExecutor(new MemoryEventStore() as never, { cacheSize: 0 });
  data = loadingPersonalData(commands, createSeal(Buffer.alloc(32, 7)));
});

async function answered(text: string): Promise<string> {
  await data.seal(context, 'player-1', {});
  return (await data.sealAnswer(owner, to(), text)) ?? '';
}
const erase = () =>
  commands.execute(playerAggregate, ANN, { kind: 'ErasePlayer', now } as const, context);

describe('what a receiver answered', () => {
  it('stands sealed for this player and message, and opens as nothing else', async () => {
    const sealed = await answered('hello player-1');
    expect(sealed).toMatch(/^p1\./);
    expect(await data.openAnswer(owner, 'msg_1', sealed)).toBe('hello player-1');
    await expect(data.openAnswer(owner, 'msg_2', sealed)).rejects.toThrow(Fault);
    await data.seal({ ...context, player: BOB }, 'player-2', {});
    expect(await data.openAnswer({ ...owner, player: BOB }, 'msg_1', sealed)).toBeUndefined();
  });

  it('of 1,024 bytes is no longer than the log takes', async () => {
    expect((await answered(cutAnswer('€'.repeat(1_000)))).length).toBeLessThan(1_500);
  });

  it('ends with its player', async () => {
    const sealed = await answered('hello player-1');
    await erase();
    expect(await data.openAnswer(owner, 'msg_1', sealed)).toBeUndefined();
    await data.seal(context, 'player-1', {});
    expect(await data.openAnswer(owner, 'msg_1', sealed)).toBeUndefined();
  });

  it('is not kept after an erasure, though the player came back', async () => {
    await answered('hello player-1');
    await erase();
    expect(await data.sealAnswer(owner, to(), 'late')).toBeUndefined();
    await data.seal(context, 'player-1', {});
    expect(await data.sealAnswer(owner, to(at(0)), 'late')).toBeUndefined();
    expect(await data.sealAnswer(owner, to(), 'of a later event')).toMatch(/^p1\./);
  });

  it('cannot be kept where its player is not there', async () => {
    const kept = data.sealAnswer(owner, to(), 'hello player-1');
    await expect(kept).rejects.toThrow('has no stream');
  });
});
