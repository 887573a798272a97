import { beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_RECORDED } from '#domain/event';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import { counter } from '../streams/spec-support/counter.js';
import type { CommandContext } from './command-context.js';
import type { EventStore } from '../streams/event-store.js';
import { add, context, NOW, raise } from './spec-support/counter-commands.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const STREAM = 'counter-1';

let store: MemoryEventStore;
let handler: CommandExecutor;

beforeEach(() => {
  store = new MemoryEventStore();
  handler = handlerOn(store);
});

function handlerOn(memory: MemoryEventStore, cacheSize?: number): CommandExecutor {
  // The command executor never subscribes.
  const asStore = memory as unknown as EventStore;
  return createCommandExecutor(asStore, cacheSize === undefined ? {} : { cacheSize });
}

describe('a command', () => {
  it('appends what is decided and answers with the state after it', async () => {
    const result = await handler.execute(counter, '1', raise(2), context);
    expect(result).toEqual({
      accepted: true,
      state: { total: 2, additions: 2 },
      revision: 1,
      position: '00000000000000000002',
      replayed: false,
      events: [
        { type: 'counter.added.v1', data: { amount: 1 } },
        { type: 'counter.added.v1', data: { amount: 1 } },
      ],
    });
    expect(store.calls).toEqual(['read counter-1 from 0', 'append counter-1 at no_stream']);
  });

  it('leaves its context in the metadata of its events', async () => {
    await handler.execute(counter, '1', add(1), {
      ...context,
      causationId: 'event-1',
      player: '7',
      commandId: 'key-1',
      commandHash: 'hash-1',
    });
    expect(store.events(STREAM)[0]?.metadata).toEqual({
      $correlationId: 'request-1',
      $causationId: 'event-1',
      actor: 'player:7',
      appId: 'app_1',
      player: '7',
      environment: 'test',
      commandId: 'key-1',
      commandHash: 'hash-1',
      occurredAt: NOW,
    });
  });

  it('takes the player from the state that it meets when its context names none', async () => {
    const namePlayer = ({ additions }: { additions: number }) => `player-${additions}`;
    await handler.execute(counter, '1', add(1), context, { playerOf: namePlayer });
    await handler.execute(
      counter,
      '1',
      add(1),
      { ...context, player: '7' },
      { playerOf: namePlayer },
    );
    await handler.execute(
      counter,
      '1',
      add(0),
      { ...context, commandId: 'key' },
      { playerOf: namePlayer },
    );
    await handler.execute(counter, '1', add(1), context, { playerOf: () => undefined });
    const players = store.events(STREAM).map(({ metadata }) => metadata.player);
    expect(players).toEqual(['player-0', '7', 'player-2', undefined]);
  });

  it('is never dated before the event before it in its stream', async () => {
    await handler.execute(counter, '1', add(1), context);
    await handler.execute(counter, '1', add(1), { ...context, now: '2025-01-01T00:00:00.000Z' });
    await handlerOn(store).execute(counter, '1', add(1), {
      ...context,
      now: '2025-06-01T00:00:00.000Z',
    });
    expect(store.events(STREAM).map(({ metadata }) => metadata.occurredAt)).toEqual([
      NOW,
      NOW,
      NOW,
    ]);
  });

  it('derives the ids of its events when asked to', async () => {
    await handler.execute(counter, '1', raise(2), { ...context, eventIdsFrom: 'cause' });
    await handler.execute(counter, '2', raise(2), { ...context, eventIdsFrom: 'cause' });
    const [first, second] = store.events(STREAM).map(({ id }) => id);
    expect(store.events('counter-2').map(({ id }) => id)).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  it('is refused as the domain says, and appends nothing', async () => {
    const result = await handler.execute(counter, '1', add(1_001), context);
    expect(result).toEqual({ accepted: false, rejection: { code: 'counter/limit' } });
    expect(store.events(STREAM)).toHaveLength(0);
  });

  it('that changes nothing appends nothing', async () => {
    await handler.execute(counter, '1', add(5), context);
    const result = await handler.execute(counter, '1', add(0), context);
    expect(result).toMatchObject({ accepted: true, revision: 0, events: [], replayed: false });
    expect(store.events(STREAM)).toHaveLength(1);
  });

  it('on a stream that is not the caller’s finds nothing, not even an earlier answer', async () => {
    const keyed = { ...context, commandId: 'key-1' };
    await handler.execute(counter, '1', add(5), keyed);
    const ifTotal = (allowed: number) => ({
      mayAct: ({ total }: { total: number }) => total === allowed,
    });
    const result = await handler.execute(counter, '1', add(5), keyed, ifTotal(6));
    expect(result).toMatchObject({ rejection: { code: 'command/not_found' } });
    const allowed = await handler.execute(counter, '1', add(5), keyed, ifTotal(5));
    expect(allowed).toMatchObject({ accepted: true, replayed: true });
  });
});

describe('a command with a key', () => {
  const keyed: CommandContext = { ...context, commandId: 'key-1', commandHash: 'hash-1' };

  it.each([
    ['by the handler that handled it', () => handler],
    ['by a handler that only has the store', () => handlerOn(store)],
  ])('is answered again as it was then, %s', async (_, chooseHandler) => {
    const first = await handler.execute(counter, '1', raise(2), keyed);
    await handler.execute(counter, '1', add(7), context);
    const again = await chooseHandler().execute(counter, '1', raise(2), keyed);
    expect(again).toMatchObject({ ...first, replayed: true });
    expect(store.events(STREAM)).toHaveLength(3);
  });

  it('that changed nothing is recorded, and so answered again after a later change', async () => {
    await handler.execute(counter, '1', add(5), context);
    const first = await handler.execute(counter, '1', raise(5), keyed);
    expect(first).toMatchObject({ state: { total: 5 }, revision: 1, events: [] });
    expect(store.events(STREAM)[1]).toMatchObject({ type: COMMAND_RECORDED, data: {} });
    await handler.execute(counter, '1', add(-3), context);
    const again = await handler.execute(counter, '1', raise(5), keyed);
    expect(again).toEqual({ ...first, replayed: true });
    expect(store.events(STREAM)).toHaveLength(3);
  });

  it('is refused when the key comes again with another input', async () => {
    await handler.execute(counter, '1', add(5), keyed);
    const other = { ...keyed, commandHash: 'hash-2' };
    const expected = { accepted: false, rejection: { code: 'command/key_reused' } };
    const refused = await handler.execute(counter, '1', add(6), other);
    expect(refused).toMatchObject(expected);
    // It may be one that was made of something else that was sent.
    expect(JSON.stringify(refused)).not.toContain(keyed.commandId);
    expect(await handlerOn(store).execute(counter, '1', add(6), other)).toMatchObject(expected);
  });

  it('goes before If-Match: the repetition of what was accepted is accepted', async () => {
    await handler.execute(counter, '1', add(5), context);
    const conditional = { ...keyed, ifMatch: [0] };
    const first = await handler.execute(counter, '1', add(5), conditional);
    const again = await handler.execute(counter, '1', add(5), conditional);
    expect(first).toMatchObject({ accepted: true, revision: 1 });
    expect(again).toMatchObject({ accepted: true, revision: 1, replayed: true });
  });

  it('leaves no trace when it is refused, and may be sent again', async () => {
    expect(await handler.execute(counter, '1', add(1_001), keyed)).toMatchObject({
      accepted: false,
    });
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({ accepted: true });
  });
});

describe('If-Match', () => {
  it('lets a command pass at its revision and no other', async () => {
    await handler.execute(counter, '1', add(5), context);
    const stale = await handler.execute(counter, '1', add(5), { ...context, ifMatch: [3] });
    expect(stale).toMatchObject({ rejection: { code: 'command/precondition_failed' } });
    const current = await handler.execute(counter, '1', add(5), { ...context, ifMatch: [0] });
    expect(current).toMatchObject({ accepted: true, revision: 1 });
  });

  it('is judged by the store, not by what the handler remembers', async () => {
    await handler.execute(counter, '1', add(5), context);
    await handlerOn(store).execute(counter, '1', add(5), context);
    const current = await handler.execute(counter, '1', add(5), { ...context, ifMatch: [1] });
    expect(current).toMatchObject({ accepted: true, revision: 2 });
    await handlerOn(store).execute(counter, '1', add(5), context);
    const stale = await handler.execute(counter, '1', add(5), { ...context, ifMatch: [2] });
    expect(stale).toMatchObject({ rejection: { code: 'command/precondition_failed' } });
  });
});

describe('what the handler remembers', () => {
  it('saves reading before an append', async () => {
    await handler.execute(counter, '1', add(1), context);
    store.calls.length = 0;
    await handler.execute(counter, '1', add(1), context);
    expect(store.calls).toEqual(['append counter-1 at 0']);
  });

  it('is read on before an answer that appends nothing', async () => {
    await handler.execute(counter, '1', add(5), context);
    await handlerOn(store).execute(counter, '1', add(990), context);
    expect(await handler.execute(counter, '1', raise(5), context)).toMatchObject({
      accepted: true,
      state: { total: 995 },
      revision: 1,
    });
    await handlerOn(store).execute(counter, '1', add(-990), context);
    // Refused by the remembered state (995), accepted by the stored one.
    expect(await handler.execute(counter, '1', add(10), context)).toMatchObject({
      accepted: true,
      state: { total: 15 },
    });
  });

  it('is not needed', async () => {
    const forgetful = handlerOn(store, 0);
    await forgetful.execute(counter, '1', add(5), context);
    expect(await forgetful.execute(counter, '1', add(5), context)).toMatchObject({
      state: { total: 10 },
    });
  });

  it('is dropped when the store has been exchanged under it', async () => {
    await handler.execute(counter, '1', raise(3), context);
    store.clear();
    expect(await handler.execute(counter, '1', add(1), context)).toMatchObject({
      state: { total: 1 },
      revision: 0,
    });
  });
});

describe('loading', () => {
  it('gives the state now, or as it was at a revision', async () => {
    await handler.execute(counter, '1', raise(3), context);
    await handlerOn(store).execute(counter, '1', add(4), context);
    expect(await handler.load(counter, '1')).toEqual({
      state: { total: 7, additions: 4 },
      revision: 3,
      position: '00000000000000000004',
      lastOccurredAt: context.now,
    });
    expect(await handler.load(counter, '1', { toRevision: 1 })).toEqual({
      state: { total: 2, additions: 2 },
      revision: 1,
      position: '00000000000000000002',
      lastOccurredAt: context.now,
    });
  });

  it('as it was at a revision goes no further where the beginning of the stream was cut off', async () => {
    await handler.execute(counter, '1', raise(5), context);
    store.truncate(STREAM, 2);
    expect(await handlerOn(store).load(counter, '1', { toRevision: 3 })).toMatchObject({
      state: { additions: 2 },
      revision: 3,
    });
  });

  it('of a stream that is not there gives the initial state', async () => {
    expect(await handler.load(counter, 'none')).toEqual({
      state: { total: 0, additions: 0 },
      revision: -1,
      position: null,
      lastOccurredAt: '',
    });
  });
});
