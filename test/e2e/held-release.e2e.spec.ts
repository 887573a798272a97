import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectionAggregate } from '#domain/projection';
import { createCommandExecutor } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { backendClient, operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { buildFaultyRelease, type RaisedRelease } from '../support/raised-release.js';
import { buy, createPlan, seeing } from '../support/scenario.js';
import { readStoreUrl, startStandalone, temporaryDataDir } from '../support/standalone.js';

const WAIT = { limitMs: 60_000 };

/** The next release's standalone, from its start on. */
class NextStandalone {
  stderr = '';
  stdout = '';
  readonly child: ChildProcess;

  constructor(main: string, env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [main, '--json'], {
      env: { ...process.env, STOREFRONT_PORT: '0', TMPDIR: env['DATA_DIR'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
  }
}

describe('a standalone that is started as a release whose read model the gate holds', () => {
  const { dataDir, remove } = temporaryDataDir();
  let release: RaisedRelease;
  let port: number;
  let next: NextStandalone | undefined;
  let bought: Awaited<ReturnType<typeof buy>>;

  beforeAll(async () => {
    release = await buildFaultyRelease();
    port = await freePort();
    const former = await startStandalone(dataDir);
    await createPlan(operatorClient(former.demo), former.demo.appId, { code: 'gold' });
    bought = await buy(backendClient(former.demo), { plan: 'gold', player: 'player-1' });
    const read = backendClient(former.demo);
    await read.get(`/sdk/subscriptions/${bought.subscriptionId}`, seeing(bought.token));
    await former.stop();
  });

  afterAll(async () => {
    await next?.stop();
    await release.remove();
    remove();
  });

  it('says which commands help, is not ready and says why, and goes on waiting', async () => {
    const [was, is] = release.names;
    next = new NextStandalone(release.main, { DATA_DIR: dataDir, PORT: String(port) });
    const { child } = next;
    const held = new RegExp(
      `The gate holds generation 1 of ${is}\\w+, and ${was}\\w+ answers in its place: ` +
        'type subledger projections swap subscriptions --anyway --reason "...", or start the former release again.',
    );
    await eventually(() => held.test(next?.stderr ?? ''), { what: 'the sentence', ...WAIT });
    expect(next.stderr).toContain(`list entry of ${bought.subscriptionId}`);
    // The API may be slower than the projector.
    let message = '';
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (answer?.status !== 503) return false;
      ({ message } = (await answer.json()) as { message: string });
      return held.test(message);
    }, WAIT);
    expect(message).not.toContain(bought.subscriptionId);
    expect([child.exitCode, next.stdout]).toEqual([null, '']);
  });

  it('is ready as soon as an operator swaps the generation in anyway', async () => {
    const says = (text: string) => `${next?.stderr}${next?.stdout}`.includes(text);
    const [, readModel = ''] = / of (subscriptions\.\S+),/.exec(next?.stderr ?? '') ?? [];
    const store = connectEventStore(await readStoreUrl({ dataDir }));
    const now = new Date().toISOString();
    await createCommandExecutor(store).execute(
      projectionAggregate,
      'subscriptions',
      {
        ...{ kind: 'SwapGeneration', readModel, anyway: true, reason: 'a test' },
        ...{ now, formerKeptMs: 60_000 },
      },
      { appId: '', environment: 'production', actor: 'operator', correlationId: 'a test', now },
    );
    await store.dispose();
    await eventually(() => says('"ready":true'), { what: 'readiness', ...WAIT });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });

  it('has left the read model of the former release, which is started again', async () => {
    await next?.stop();
    const former = await startStandalone(dataDir);
    const found = await backendClient(former.demo).get(
      `/sdk/subscriptions/${bought.subscriptionId}`,
    );
    expect(found.body).toMatchObject({ status: 'active' });
    await former.stop();
  });
});
