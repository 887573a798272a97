import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { type CommandExecutor, createCommandExecutor } from '../commands/command-executor.js';
import type { CommandContext } from '../commands/command-context.js';
import type { EventStore } from '../streams/event-store.js';
import { counter } from '../streams/spec-support/counter.js';
import { MemoryEventStore } from '../streams/spec-support/memory-event-store.js';

const context: CommandContext = {
  appId: 'app_1',
  environment: 'test',
  actor: 'player:7',
  correlationId: 'request-1',
  now: '2026-01-31T10:00:00.000Z',
};
const add = (amount: number) => ({ kind: 'add' as const, amount });

let store: MemoryEventStore;
let others: CommandExecutor;
let commands: CommandExecutor;

beforeEach(() => {
  store = new MemoryEventStore();
  [others, commands] = [0, 1].map(() => createCommandExecutor(store as unknown as EventStore)) as [
    CommandExecutor,
    CommandExecutor,
  ];
});

async function addElsewhere(amount: number, more: Partial<CommandContext> = {}): Promise<void> {
  await others.execute(counter, '1', add(amount), { ...context, ...more });
}

/** The events of the stream that went by, from a revision on. */
const events = (from = 0): RecordedEvent[] => store.events('counter-1').slice(from);

function follow(items: readonly RecordedEvent[]): void {
  for (const item of items) commands.follow(counter, item);
}

describe('a stream whose events go by', () => {
  it('is recalled, and appended to, without being read', async () => {
    await addElsewhere(1);
    await addElsewhere(2);
    follow(events());
    store.calls.length = 0;
    expect(commands.recall(counter, '1')).toMatchObject({ state: { total: 3 }, revision: 1 });
    const result = await commands.execute(counter, '1', add(4), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 7 }, revision: 2 });
    expect(store.calls).toEqual(['append counter-1 at 1']);
  });

  it('is known with the commands that its events came of', async () => {
    await addElsewhere(1, { commandId: 'key', commandHash: 'a' });
    follow(events());
    const again = { ...context, commandId: 'key', commandHash: 'a' };
    const result = await commands.execute(counter, '1', add(1), again);
    expect(result).toMatchObject({ accepted: true, replayed: true, revision: 0 });
  });

  it('is taken on by each event once, whichever way it came', async () => {
    await addElsewhere(1);
    follow(events());
    await commands.execute(counter, '1', add(2), context);
    follow(events());
    expect(commands.recall(counter, '1')).toMatchObject({ state: { total: 3, additions: 2 } });
  });

  it('is let go after a gap, and read when it is asked for', async () => {
    await addElsewhere(1);
    follow(events());
    await addElsewhere(2);
    await addElsewhere(4);
    follow(events(2));
    expect(commands.recall(counter, '1')).toBe(undefined);
    expect((await commands.load(counter, '1')).state.total).toBe(7);
  });

  it('is let go with an event that cannot be read', async () => {
    await addElsewhere(1);
    follow(events());
    const [{ streamName, position } = { streamName: '', position: '' }] = events();
    const unreadable = { undecodable: 'unknown type', streamName, position, revision: 1 };
    commands.follow(counter, unreadable as never);
    expect(commands.recall(counter, '1')).toBe(undefined);
  });

  it('is not known from its middle on', async () => {
    await addElsewhere(1);
    await addElsewhere(2);
    follow(events(1));
    expect(commands.recall(counter, '1')).toBe(undefined);
  });
});
