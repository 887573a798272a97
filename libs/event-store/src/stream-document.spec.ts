import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandContext } from './command-context.js';
import { type CommandExecutor, createCommandExecutor } from './command-executor.js';
import { type EventStore, RevisionConflict } from './event-store.js';
import { CONFLICTS } from './limits.js';
import { counter, type Counter } from './spec-support/counter.js';
import { add, context, raise } from './spec-support/counter-commands.js';
import { foldDocument } from './spec-support/fold-document.js';
import { MemoryEventStore } from './spec-support/memory-event-store.js';
import type { StreamDocument } from './stream-document.js';

const STREAM = 'counter-1';
const keyed: CommandContext = { ...context, commandId: 'key-1', commandHash: 'hash-1' };

let store: MemoryEventStore;
/** What is known of the stream beside it. */
let document: StreamDocument | undefined;
let looks: string[];
let handler: CommandExecutor;

beforeEach(async () => {
  store = new MemoryEventStore();
  document = undefined;
  looks = [];
  handler = handlerWithDocuments();
  await other().execute(counter, '1', raise(2), context);
  store.calls.length = 0;
});

function handlerWithDocuments(): CommandExecutor {
  const findDocument = async (category: string, id: string) => {
    looks.push(`${category} ${id}`);
    return document;
  };
  // The command executor never subscribes.
  return createCommandExecutor(store as unknown as EventStore, { findDocument });
}

/** One that goes by the stream alone. */
function other(): CommandExecutor {
  return createCommandExecutor(store as unknown as EventStore, { cacheSize: 0 });
}

/** What a document says of the stream now, or of something else. */
async function know(change: Partial<StreamDocument<Counter>> = {}): Promise<void> {
  document = { ...(await foldDocument(store, counter, '1')), ...change };
  store.calls.length = 0;
}

describe('a command that begins with a document', () => {
  it('is appended at its revision, and nothing is read', async () => {
    await know();
    const result = await handler.execute(counter, '1', raise(3), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 3 }, revision: 2 });
    expect(looks).toEqual(['counter 1']);
    expect(store.calls).toEqual(['append counter-1 at 1']);
  });

  it('looks for none where memory has the stream, or where it is new', async () => {
    await know();
    await handler.execute(counter, '1', add(1), context);
    await handler.execute(counter, '1', add(1), context);
    await handler.execute(counter, '2', add(1), context, { isNew: true });
    expect(looks).toEqual(['counter 1']);
  });

  it('reads the stream where there is none', async () => {
    const result = await handler.execute(counter, '1', raise(3), context);
    expect(result).toMatchObject({ state: { total: 3 }, revision: 2 });
    expect(store.calls).toEqual(['read counter-1 from 0', 'append counter-1 at 1']);
  });

  it('is decided anew where that is late', async () => {
    await know();
    await other().execute(counter, '1', add(5), context);
    store.calls.length = 0;
    const result = await handler.execute(counter, '1', raise(8), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 8 }, revision: 3 });
    expect(store.calls).toEqual([
      ...['append counter-1 at 1', 'read counter-1 from 0', 'append counter-1 at 2'],
    ]);
  });

  it('is decided anew where that is ahead of the store', async () => {
    await know({ revision: 7, state: { total: 90, additions: 8 } });
    const result = await handler.execute(counter, '1', raise(3), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 3 }, revision: 2 });
  });

  it('has as many attempts on the stream itself, where others keep changing it', async () => {
    await know();
    store.onAppend = (streamName, events) => {
      store.appendNow(
        streamName,
        'any',
        events.map((event) => ({ ...event, id: crypto.randomUUID() })),
      );
    };
    const handled = handler.execute(counter, '1', add(1), context);
    await expect(handled).rejects.toMatchObject({ code: 'conflict' });
    expect(store.calls.filter((call) => call.startsWith('append'))).toHaveLength(1 + CONFLICTS);
  });

  it('whose outcome was unknown is not done again', async () => {
    await know();
    store.onAppend = (streamName, events) => {
      store.onAppend = () => undefined;
      store.appendNow(streamName, 1, events);
      throw new RevisionConflict(streamName, 2, true);
    };
    const result = await handler.execute(counter, '1', add(5), context);
    expect(result).toMatchObject({ accepted: true, state: { total: 7 }, revision: 2 });
    expect(store.events(STREAM)).toHaveLength(3);
  });

  it('is never dated before the last event that is known', async () => {
    await know({ lastOccurredAt: '2026-03-01T00:00:00.000Z' });
    await handler.execute(counter, '1', add(1), context);
    expect(store.events(STREAM)[2]?.metadata.occurredAt).toBe('2026-03-01T00:00:00.000Z');
  });
});

/** A document that is wrong says what no answer may be given by: the stream itself says something else. */
describe('what is answered without an append', () => {
  it.each([
    ['a rejection', { total: 999, additions: 2 }, add(5), { accepted: true, revision: 2 }],
    ['no effect', { total: 3, additions: 2 }, raise(3), { accepted: true, revision: 2 }],
  ])('is not %s of a document', async (_, state, command, expected) => {
    await know({ state });
    expect(await handler.execute(counter, '1', command, context)).toMatchObject(expected);
  });

  it('is the stream’s: a rejection', async () => {
    await know();
    const result = await handler.execute(counter, '1', add(999), context);
    expect(result).toMatchObject({ rejection: { code: 'counter/limit' } });
    expect(store.calls).toEqual(['read counter-1 from 0']);
  });

  it('is the stream’s: whose it is', async () => {
    await know({ state: { total: 50, additions: 2 } });
    const mayAct = ({ total }: Counter) => total === 2;
    const result = await handler.execute(counter, '1', add(1), context, { mayAct });
    expect(result).toMatchObject({ accepted: true, revision: 2 });
    await know({ state: { total: 50, additions: 3 } });
    const refused = await handlerWithDocuments().execute(counter, '1', add(1), context, { mayAct });
    expect(refused).toMatchObject({ rejection: { code: 'command/not_found' } });
  });

  it('is the stream’s: If-Match', async () => {
    await know();
    await other().execute(counter, '1', add(1), context);
    const late = { ...context, ifMatch: [1] };
    expect(await handler.execute(counter, '1', add(1), late)).toMatchObject({
      rejection: { code: 'command/precondition_failed', detail: 'the revision is 2' },
    });
    await know({ revision: 1 });
    const current = { ...context, ifMatch: [2] };
    expect(await handlerWithDocuments().execute(counter, '1', add(1), current)).toMatchObject({
      accepted: true,
      revision: 3,
    });
  });

  it('with a key is recorded on what the stream holds', async () => {
    await know({ state: { total: 3, additions: 2 } });
    expect(await handler.execute(counter, '1', raise(2), keyed)).toMatchObject({
      ...{ accepted: true, state: { total: 2 }, revision: 2, events: [] },
    });
    expect(store.calls).toEqual(['read counter-1 from 0', 'append counter-1 at 1']);
  });
});

describe('a key', () => {
  it('that is not among those of the document is used without reading', async () => {
    await know();
    const first = await handler.execute(counter, '1', add(1), keyed);
    expect(store.calls).toEqual(['append counter-1 at 1']);
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({
      ...{ accepted: true, replayed: true, revision: first.accepted && first.revision },
    });
    const reused = { ...keyed, commandHash: 'hash-2' };
    expect(await handler.execute(counter, '1', add(1), reused)).toMatchObject({
      rejection: { code: 'command/key_reused' },
    });
  });

  it('that the document has is looked for in the stream, and done once', async () => {
    await other().execute(counter, '1', add(1), keyed);
    await know();
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({
      ...{ accepted: true, replayed: true, revision: 2 },
    });
    expect(store.events(STREAM)).toHaveLength(3);
  });

  it('that only looks like one of the document is free', async () => {
    await know({ commands: { mayHold: () => true } });
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({
      ...{ accepted: true, replayed: false, revision: 2 },
    });
  });

  it('that was used since is found by the conflict', async () => {
    await know();
    await other().execute(counter, '1', add(1), keyed);
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({
      ...{ accepted: true, replayed: true, revision: 2 },
    });
    expect(store.events(STREAM)).toHaveLength(3);
  });
});

describe('what is remembered of a stream that began with a document', () => {
  beforeEach(async () => {
    await other().execute(counter, '1', add(1), keyed);
    await know();
    await handler.execute(counter, '1', add(1), context);
    store.calls.length = 0;
  });

  it('saves reading before an append', async () => {
    await handler.execute(counter, '1', add(1), context);
    expect(store.calls).toEqual(['append counter-1 at 3']);
  });

  it('knows that it does not know the keys before', async () => {
    const again = await handler.execute(counter, '1', add(1), keyed);
    expect(again).toMatchObject({ accepted: true, replayed: true, revision: 2 });
    expect(await handler.answerBefore(counter, '1', keyed)).toMatchObject({ replayed: true });
    expect(store.events(STREAM)).toHaveLength(4);
  });

  it.each([
    ['an answer that appends nothing', () => handler.execute(counter, '1', raise(4), context)],
    ['an answer before a command', () => handler.answerBefore(counter, '1', keyed)],
    ['loading', () => handler.load(counter, '1')],
  ])('is read from the beginning for %s, once', async (_, ask) => {
    await ask();
    expect(store.calls[0]).toBe('read counter-1 from 0');
    store.calls.length = 0;
    await handler.execute(counter, '1', raise(4), context);
    expect(store.calls).toEqual(['read counter-1 from 4']);
  });

  it('is taken on by events that go by, and says the same of its keys', async () => {
    await other().execute(counter, '1', add(1), context);
    const [event] = store.events(STREAM).slice(-1);
    if (event !== undefined) handler.follow(counter, event);
    store.calls.length = 0;
    await handler.execute(counter, '1', add(1), { ...keyed, commandId: 'key-2' });
    expect(store.calls).toEqual(['append counter-1 at 4']);
    expect(await handler.execute(counter, '1', add(1), keyed)).toMatchObject({ replayed: true });
  });
});
