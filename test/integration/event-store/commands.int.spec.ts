import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { eventually } from '../../support/eventually.js';
import { counter, CuttableLine, context, RestartableStore } from './support.js';

let server: RestartableStore;
let line: CuttableLine;
/** Over a line that can be cut. */
let store: EventStore;
/** Straight to the server. */
let observer: EventStore;
let handlers: [CommandExecutor, CommandExecutor];

beforeAll(async () => {
  server = await RestartableStore.start();
  observer = connectEventStore(server.connectionString);
});
afterAll(async () => {
  await observer.dispose();
  await server.remove();
});
beforeEach(async () => {
  line = await CuttableLine.to(server);
  store = connectEventStore(line.connectionString, {
    appendLimits: { attemptMs: 500, retryForMs: 5_000 },
  });
  handlers = [createCommandExecutor(store), createCommandExecutor(observer)];
});
afterEach(async () => {
  await store.dispose();
  await line.close();
});

const withKey = (key: string) => ({ ...context, commandId: key, commandHash: key });

describe('a command', () => {
  it('whose answer was lost is done once, though another handler came in between', async () => {
    const [first, second] = handlers;
    await first.execute(counter, 'lost', { amount: 1 }, context);
    line.loseAnswers();
    const handling = first.execute(counter, 'lost', { amount: 10 }, context);
    await eventually(async () => (await observer.headRevision('counter-lost')) === 1);
    await second.execute(counter, 'lost', { amount: 100 }, context);
    line.cut();
    expect(await handling).toMatchObject({ accepted: true, revision: 1, state: { total: 11 } });
    expect(await first.load(counter, 'lost')).toMatchObject({ state: { total: 111 }, revision: 2 });
  });

  it('with a key that failed for want of an answer finds its outcome when sent again', async () => {
    const impatient = connectEventStore(line.connectionString, {
      appendLimits: { attemptMs: 1_000, retryForMs: 0 },
    });
    const handler = createCommandExecutor(impatient);
    // By one that is patient: over a new connection a first append may take its time.
    await handlers[0].execute(counter, 'again', { amount: 1 }, context);
    await handler.load(counter, 'again');
    line.loseAnswers();
    const failed = handler.execute(counter, 'again', { amount: 10 }, withKey('k'));
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    line.cut();
    const resend = () => handler.execute(counter, 'again', { amount: 10 }, withKey('k'));
    const answer = await resend().catch(resend);
    expect(answer).toMatchObject({ accepted: true, replayed: true, state: { total: 11 } });
    expect(await observer.headRevision('counter-again')).toBe(1);
    await impatient.dispose();
  });
});
