import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreProcess } from '../support/store-process.js';
import { type ApiClient, backendClient, operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { runNpm } from '../support/npm.js';
import { type RunningProgram, startProgram } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { advanceTo, buy, createPlan, requireOk, seeing } from '../support/scenario.js';
import { type Demo, type RunningStandalone, startStandalone } from '../support/standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const IDEMPOTENCY_KEY = 'link-from-before-the-move';
const LINK = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'player-link' } };

let root: string;
let steps: readonly string[];
let standalone: RunningStandalone;
let demo: Demo;
let receiver: WebhookReceiver;
let before: Awaited<ReturnType<typeof tradeBefore>>;
let moved: Demo;
/** The parts that still run, the last started first. */
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'operations-'));
  // A person has `subledger` on the path.
  const program = path.resolve('dist/programs/subledger.js');
  await mkdir(path.join(root, 'bin'));
  const shim = path.join(root, 'bin', 'subledger');
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(shim, 0o755);
  receiver = await startWebhookReceiver();
  ends.unshift(() => receiver.close());
  standalone = await startStandalone(path.join(root, 'data'));
  ({ demo } = standalone);
  ends.unshift(() => standalone.stop());
  steps = readSteps(await readFile('docs/operations.md', 'utf8'), 'From one machine to a cluster');
});

afterAll(async () => {
  for (const end of ends) await end();
  await rm(root, { recursive: true, force: true });
});

/** The numbered steps below a headline. */
function readSteps(text: string, headline: string): string[] {
  const [, section = ''] = text.split(`## ${headline}\n`);
  const numbered = (section.split('\n### ')[0] ?? '').split(/^\d+\. /m).slice(1);
  return numbered.map((step) => step.replace(/\n +/g, ' '));
}

/** The one command of a step that contains these words. */
function commandIn(step: number, words: string): string {
  const commands = [...(steps[step - 1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  const [command, ...others] = commands.filter((code) => code?.includes(words));
  if (command === undefined || others.length > 0) throw new Error(`step ${step}: ${steps[step]}`);
  return command;
}

/** A line as it is typed in a shell, where the data directory is `data`. */
class Typed {
  output = '';
  readonly child: ChildProcess;
  readonly #closed: Promise<unknown[]>;

  constructor(line: string) {
    const PATH = `${path.join(root, 'bin')}:${process.env['PATH']}`;
    this.child = spawn('bash', ['-c', line.includes('=') ? line : `exec ${line}`], {
      ...{ cwd: root, env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.output += text.toString()));
    }
    this.#closed = once(this.child, 'close');
  }

  /** Its exit code, when it has ended. */
  async code(): Promise<unknown> {
    return (await this.#closed)[0];
  }
}

/** A subscription, a link that was asked for with a key, and a webhook that is refused again and again. */
async function tradeBefore() {
  const operator = operatorClient(demo);
  const api = backendClient(demo);
  await createPlan(operator, demo.appId, { code: 'gold' });
  const endpoint = { url: receiver.url, eventTypes: ['subscription.created'] };
  requireOk(await operator.post(`/manage/apps/${demo.appId}/webhook-endpoints`, endpoint));
  const bought = await buy(api, { plan: 'gold', player: 'player-1' });
  await receiver.until(({ length }) => length === 1);
  const link = requireOk(await askForLink(api));
  receiver.answerWith(() => 503);
  const waiting = await buy(api, { plan: 'gold', player: 'player-2' });
  await receiver.until(({ length }) => length === 2);
  return { bought, waiting, linkId: link.body['id'] };
}

/** Step 5, in its order. @returns the address of clients. */
async function startPrograms(): Promise<Demo> {
  const redis = await startRedis();
  ends.unshift(() => redis.stop());
  const port = await freePort();
  const env = {
    EVENTSTOREDB_URL: (await readFile(path.join(root, 'cluster.url'), 'utf8')).trim(),
    MASTER_KEY: (await readFile(path.join(root, 'data', 'master.key'), 'utf8')).trim(),
    ...{ REDIS_URL: redis.url, LOG_LEVEL: 'silent' },
  };
  const own = [
    ['projector', {}],
    ['worker', { ALLOW_INSECURE_TARGETS: 'test-apps' }],
    ['api', { PORT: String(port) }],
  ] as const;
  for (const [name, more] of own) {
    const program: RunningProgram = await startProgram(name, { ...env, ...more });
    ends.unshift(() => program.stop());
  }
  return { ...demo, baseUrl: `http://127.0.0.1:${port}` };
}

const askForLink = (api: ApiClient) =>
  api.post('/sdk/subscriptions/checkout-links', LINK, { 'idempotency-key': IDEMPOTENCY_KEY });

describe('the move of docs/operations.md', () => {
  it('has six steps, of which four have commands', () => {
    expect(steps).toHaveLength(6);
  });

  it('1: the target is looked at', async () => {
    before = await tradeBefore();
    const target = await StoreProcess.start(path.join(root, 'cluster'));
    ends.unshift(() => target.kill());
    await writeFile(path.join(root, 'cluster.url'), `${target.connectionString}\n`, {
      mode: 0o600,
    });
    const check = new Typed(commandIn(1, 'store check'));
    const code = await check.code();
    expect([code, check.output]).toEqual([
      1,
      expect.stringContaining('Nothing is missing but the namespace.'),
    ]);
  });

  it('2 and 3: the copy follows what is written, and everything stops in order', async () => {
    const copy = new Typed(commandIn(2, 'store copy'));
    ends.unshift(() => Promise.resolve(copy.child.kill('SIGKILL')));
    await eventually(() => /caught up/i.test(copy.output), { what: 'the copy', limitMs: 60_000 });
    const late = await buy(backendClient(demo), { plan: 'gold', player: 'player-late' });
    before = { ...before, bought: late };
    copy.child.kill('SIGINT');
    await copy.code();
    expect(await standalone.stop()).toBe(0);
  });

  it('4: the switch compares the stores, and opens the target', async () => {
    const [, options = ''] = commandIn(3, 'npm run').split('npm run event-store -- ');
    const args = options.replace('data/', `${root}/data/`).split(' ');
    const source = runNpm(['run', 'event-store', '--', ...args], {});
    ends.unshift(() => source.stop());
    await source.says('esdb://');
    const refused = new Typed(commandIn(4, 'store copy'));
    expect([await refused.code(), refused.output]).toEqual([
      1,
      expect.stringContaining('type "subledger seal checkpoint"'),
    ]);
    const seal = new Typed(commandIn(4, 'seal checkpoint'));
    expect([await seal.code(), seal.output]).toEqual([0, expect.stringContaining('are attested')]);
    const move = new Typed(commandIn(4, 'store copy'));
    expect([await move.code(), move.output]).toEqual([
      0,
      expect.stringContaining('The target is the ledger now'),
    ]);
    await source.stop();
  });

  it('5 and 6: the programs go on in the cluster, and clients find all that they hold', async () => {
    receiver.answerWith(() => 204);
    moved = await startPrograms();
    const backend = backendClient(moved);
    await eventually(async () => (await backend.get('/readyz')).status === 200, {
      what: 'readiness',
    });
    const { subscriptionId, token } = before.bought;
    const found = await backend.get(`/sdk/subscriptions/${subscriptionId}`, seeing(token));
    expect([found.status, found.body]).toMatchObject([200, { status: 'active' }]);
    expect(requireOk(await askForLink(backend)).body['id']).toBe(before.linkId);
    const { subscriptionId: waiting } = before.waiting;
    await receiver.until(() => receiver.sentFor(waiting).length >= 2);
    expect(new Set(receiver.sentFor(waiting).map((each) => each.headers['webhook-id'])).size).toBe(
      1,
    );
  });

  it('and time goes on: what was bought before is renewed', async () => {
    const backend = backendClient(moved);
    const subscription = `/sdk/subscriptions/${before.bought.subscriptionId}`;
    const due = String((await backend.get(subscription)).body['current_period_end']);
    const token = await advanceTo(operatorClient(moved), moved.appId, due);
    const { body } = await backend.get(subscription, seeing(token));
    expect(String(body['current_period_end']) > due).toBe(true);
  });
});
