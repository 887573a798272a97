import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../test/support/misbehaving-receiver.js';
import { EgressConnections } from './connections.js';
import { post } from './request.js';

describe('the connections of a process', () => {
  let receiver: MisbehavingReceiver;
  let connections: EgressConnections;

  beforeEach(async () => {
    receiver = await startMisbehavingReceiver();
    connections = new EgressConnections({}, { idleAtMost: 3, idleMs: 4_000 });
  });

  afterEach(async () => {
    await connections.close();
    await receiver.close();
  });

  const call = (owner: string, path = '/ok', allowInsecure = true) =>
    post(connections, {
      ...{ owner, url: `http://127.0.0.1:${receiver.port}${path}`, rules: { allowInsecure } },
      ...{ headers: {}, body: '{}', answerLimitBytes: 100, signal: AbortSignal.timeout(3_000) },
    });

  it("are one endpoint's each, and are used again by it alone", async () => {
    for (const owner of ['whe_1', 'whe_1', 'whe_2', 'whe_1', 'whe_2']) await call(owner);
    expect(receiver.countConnections()).toBe(2);
  });

  it('that were opened under lax rules are not used under strict ones', async () => {
    await call('whe_1');
    await expect(call('whe_1', '/ok', false)).rejects.toMatchObject({ code: 'forbidden_address' });
    expect(receiver.asked).toHaveLength(1);
  });

  it('wait for none that hang, of another endpoint or of the same', async () => {
    const hanging = Promise.allSettled(Array.from({ length: 40 }, () => call('whe_1', '/hangs')));
    await eventually(() => receiver.asked.length === 40, { what: 'requests that hang' });
    const startedAt = performance.now();
    await Promise.all([call('whe_1'), call('whe_2')]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await connections.close();
    const failures = await hanging;
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('that are idle are bounded over all endpoints, the first ones are closed', async () => {
    for (let at = 0; at < 10; at += 1) await call(`whe_${at}`);
    expect(connections.size).toBe(3);
    await eventually(() => receiver.countSockets() === 3, { what: 'the end of the first ones' });
    await call('whe_9');
    expect(receiver.countConnections()).toBe(10);
    await call('whe_0');
    expect(receiver.countConnections()).toBe(11);
  });

  it('that are idle are bounded for one endpoint', async () => {
    await connections.close();
    connections = new EgressConnections();
    await Promise.all(Array.from({ length: 40 }, () => call('whe_1')));
    expect(receiver.countConnections()).toBe(40);
    expect(connections.size).toBe(32);
  });

  it('are closed when they were idle for a while, however long the receiver would keep them', async () => {
    await connections.close();
    connections = new EgressConnections({}, { idleAtMost: 3, idleMs: 500 });
    await call('whe_1', '/keeps-for-ever');
    await eventually(() => receiver.countSockets() === 0, {
      what: 'the end of it',
      limitMs: 4_000,
    });
    expect(connections.size).toBe(0);
    for (const owner of ['whe_1', 'whe_2', 'whe_3']) await call(owner);
    expect(connections.size).toBe(3);
  });

  it('that carried what is not HTTP fail without a word of it, however the error is looked at', async () => {
    const error: unknown = await call('whe_1', '/no-http').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RequestFailed', code: 'invalid_answer' });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('SECRET');
  });

  it('that the receiver closes when they are used again cost no failure', async () => {
    await call('whe_1', '/closes-when-used-again');
    await call('whe_1', '/closes-when-used-again');
    expect(receiver.countConnections()).toBe(2);
    expect(receiver.asked).toHaveLength(3);
    await expect(call('whe_1', '/resets')).rejects.toMatchObject({ code: 'reset' });
  });
});
