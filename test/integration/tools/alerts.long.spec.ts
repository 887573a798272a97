import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { type RunningProgram, startProgram } from '../../support/program.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { StoreProcess } from '../../support/store-process.js';

/** Minutes of samples: longer than every alert waits. */
const MINUTES = 40;
/** How long the head stands still in the test itself. */
const FROZEN_MS = 8_000;

/** An age that grows by the minute, a count that stands, or one that rises by five each minute. */
const growing = (from: number) => `${Math.round(from)}+60x${MINUTES}`;
const standing = (count: number) => `${count}+0x${MINUTES}`;
const rising = `0+5x${MINUTES}`;

const HEAD_AGE = 'subledger_projection_head_age_seconds';
const UNAPPLIED = 'subledger_projection_oldest_unapplied_seconds{read_model="subscriptions.1.a"}';
const HELD = 'subledger_projection_generations{read_model="subscriptions.1.a",state="held"}';
const commands = (status: number, method = 'POST') =>
  `subledger_http_requests_total{method="${method}",route="/sdk/orders",status="${status}"}`;

let dir: string;

beforeAll(async () => {
  execFileSync(process.execPath, ['tools/setup.mjs', '--promtool-alone'], { stdio: 'pipe' });
  dir = await mkdtemp(path.join(tmpdir(), 'subledger-alerts-'));
  const page = await readFile('docs/operations.md', 'utf8');
  const [, rules = ''] = /^## Alerts\n.*?^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  await writeFile(path.join(dir, 'rules.yml'), rules);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/** Fails, with the words of promtool, unless an alert of the page fires on these series, or does not. */
async function expectAlert(
  alert: string,
  series: Readonly<Record<string, string>>,
  fired: readonly object[],
): Promise<void> {
  const file = path.join(dir, 'test.json');
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: `${MINUTES - 5}m`,
        alertname: alert,
        exp_alerts: fired.map((exp_labels) => ({ exp_labels })),
      },
    ],
  };
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: ['rules.yml'], tests: [test] }));
  execFileSync('promtool', ['test', 'rules', 'test.json'], { cwd: dir, encoding: 'utf8' });
}

describe('the alerts of docs/operations.md', () => {
  it('can be read by Prometheus', () => {
    execFileSync('promtool', ['check', 'rules', 'rules.yml'], { cwd: dir, encoding: 'utf8' });
  });

  it('name the read model that the gate holds', async () => {
    const fired = [{ severity: 'ticket', read_model: 'subscriptions.1.a' }];
    await expectAlert('RebuildHeld', { [HELD]: standing(1) }, fired);
    await expectAlert('RebuildHeld', { [HELD]: standing(0) }, []);
  });

  it.each([
    ['commands fail', commands(503), true],
    ['commands succeed, in a store that the projectors do not see', commands(200), true],
    ['no command is sent', commands(200, 'GET'), false],
    ['all commands are refused', commands(404), false],
  ])('tell a head that stands still from a silent ledger: %s', async (_, requests, fires) => {
    const series = { [HEAD_AGE]: growing(0), [requests]: rising };
    await expectAlert('HeadStandsStill', series, fires ? [{ severity: 'page' }] : []);
  });

  it('say nothing of a head that moves, however many commands there are', async () => {
    const series = { [HEAD_AGE]: standing(3), [commands(200)]: rising };
    await expectAlert('HeadStandsStill', series, []);
  });

  it('see read models that are behind', async () => {
    const fired = [{ severity: 'page' }];
    await expectAlert('ReadModelsBehind', { [UNAPPLIED]: growing(0) }, fired);
    await expectAlert('ReadModelsBehind', { [UNAPPLIED]: standing(0) }, []);
  });
});

describe('a projector whose event store stands still', () => {
  let store: StoreProcess;
  let redis: RunningRedis;
  let projector: RunningProgram;
  let port: number;

  beforeAll(async () => {
    store = await StoreProcess.start(path.join(dir, 'store'));
    const client = connectEventStore(store.connectionString);
    await client.namespaces.open(2);
    await client.dispose();
    [redis, port] = [await startRedis(), await freePort()];
    projector = await startProgram('projector', {
      ...{ EVENTSTOREDB_URL: store.connectionString, REDIS_URL: redis.url, LOG_LEVEL: 'silent' },
      ADMIN_PORT: String(port),
    });
  });

  afterAll(async () => {
    store.child.kill('SIGCONT');
    await projector.stop();
    await Promise.all([store.kill(), redis.stop()]);
  });

  /** The highest value of a metric; NaN where it is not shown. */
  async function read(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(name));
    return lines.length === 0 ? NaN : Math.max(...lines.map((line) => Number(line.split(' ')[1])));
  }

  it('shows a head that grows old, and no lag: the alert fires as soon as it is old enough', async () => {
    const unapplied = 'subledger_projection_oldest_unapplied_seconds';
    await eventually(async () => (await read(unapplied)) === 0, { what: 'figures' });
    store.child.kill('SIGSTOP');
    const before = await read(HEAD_AGE);
    await sleep(FROZEN_MS);
    const after = await read(HEAD_AGE);
    expect(after - before).toBeGreaterThan((FROZEN_MS / 1_000) * 0.9);
    expect(await read(unapplied)).toBe(0);
    const series = {
      [HEAD_AGE]: growing(after),
      [UNAPPLIED]: standing(0),
      [commands(503)]: rising,
    };
    await expectAlert('HeadStandsStill', series, [{ severity: 'page' }]);
    await expectAlert('ReadModelsBehind', series, []);
  });
});
