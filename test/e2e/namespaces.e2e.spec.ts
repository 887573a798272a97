import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type RunningRedis, startRedis } from '../support/redis.js';
import { RestartableStore } from '../integration/event-store/support.js';

let store: RestartableStore;
let redis: RunningRedis;

beforeAll(async () => {
  store = await RestartableStore.start();
  redis = await startRedis();
});
afterAll(async () => {
  await store.remove();
  await redis.stop();
});

const init = (namespace: string, ...options: string[]) =>
  subledger(['store', 'init', ...options], {
    EVENTSTOREDB_URL: store.connectionString,
    STREAM_NAMESPACE: namespace,
  });

function startProgram(name: string, namespace: string, env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [path.resolve('dist/programs', `${name}.js`)], {
    env: {
      ...process.env,
      EVENTSTOREDB_URL: store.connectionString,
      STREAM_NAMESPACE: namespace,
      REDIS_URL: redis.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      ...{ PORT: '0', STOREFRONT_PORT: '0', LOG_LEVEL: 'fatal' },
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Runs a program until it ends by itself. */
async function runProgram(name: string, namespace: string) {
  const child = startProgram(name, namespace);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, stderr };
}

/** Starts a program and stops it when it follows the store. @returns its metrics. */
async function readMetrics(name: string, namespace: string): Promise<string> {
  const adminPort = String(await freePort());
  const child = startProgram(name, namespace, { ADMIN_PORT: adminPort });
  const admin = anonymous(`http://127.0.0.1:${adminPort}`);
  const readText = async () => (await admin.get('/metrics')).text;
  // Readiness would be too much to ask of an API to which no projector belongs.
  let figures = '';
  const isFollowing = async () => {
    figures = await readText().catch(() => '');
    return /^subledger_event_store_long_calls [1-9]/m.test(figures);
  };
  try {
    await eventually(isFollowing, { what: `the ${name}` });
    return figures;
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

describe('subledger store init', () => {
  it('opens a namespace once, and says how many partitions it has', async () => {
    const first = await init('studio_a', '--partitions', '4', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ namespace: 'studio_a', partitions: 4 });
    const again = await init('studio_a', '--json');
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
    expect((await init('studio_b')).stdout).toMatch(
      /^The namespace "studio_b" is open, with 16 partitions \(store [0-9a-f-]{36}\)\.\n$/,
    );
  });

  it('keeps what it is when its store was restored, and what is in Redis counts no more', async () => {
    await init('studio_a', '--partitions', '4');
    const env = { EVENTSTOREDB_URL: store.connectionString, STREAM_NAMESPACE: 'studio_a' };
    const { stdout, code } = await subledger(['store', 'restored', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse((await init('studio_a', '--json')).stdout));
    expect((await subledger(['store', 'restored'], env)).stdout).toContain('is built anew');
    const strange = { ...env, STREAM_NAMESPACE: 'studio_x' };
    expect((await subledger(['store', 'restored'], strange)).stderr).toContain('not been opened');
  });

  it.each([
    [['--partitions', '0'], 'studio_c', /--partitions must be a number from 1 to 64/],
    [['--partitions', 'x'], 'studio_c', /--partitions must be a number from 1 to 64/],
    [[], 'Studio-C', /STREAM_NAMESPACE must be up to 32 lower-case letters, digits and _/],
  ])('refuses %j of %s', async (options, namespace, message) => {
    const { code, stderr } = await init(namespace, ...options);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a program of a namespace that was not opened', () => {
  it('ends with a sentence that lists those that were', async () => {
    await init('studio_a');
    await init('studio_b');
    const names = ['api', 'storefront', 'projector', 'worker'];
    const ended = await Promise.all(names.map((name) => runProgram(name, 'studio_z')));
    for (const [index, { code, stderr }] of ended.entries()) {
      expect(code).toBe(1);
      expect(stderr).toBe(
        `subledger ${names[index] ?? ''}: The namespace "studio_z" has not been opened in this event ` +
          'store. Opened there: studio_a, studio_b (STREAM_NAMESPACE chooses one). ' +
          'To open it: subledger store init\n',
      );
    }
  });
});

describe('a program of a namespace with sixteen partitions', () => {
  const PROGRAMS = ['api', 'storefront', 'projector', 'worker'] as const;
  const figures = new Map<string, string>();

  beforeAll(async () => {
    await init('studio_b', '--partitions', '16');
    const read = async (name: string) => figures.set(name, await readMetrics(name, 'studio_b'));
    await Promise.all(PROGRAMS.map(read));
  });

  it.each(PROGRAMS)('holds at most thirty long calls to the event store: the %s', (name) => {
    const [, longCalls] =
      /^subledger_event_store_long_calls (\d+)$/m.exec(figures.get(name) ?? '') ?? [];
    expect(Number(longCalls)).toBeGreaterThan(0);
    expect(Number(longCalls)).toBeLessThanOrEqual(30);
  });

  const HTTP = ['subledger_http_request', 'subledger_event_store'];
  it.each([
    ['api', ['subledger_deprecated_api_key', 'subledger_rate_limited', ...HTTP]],
    ['storefront', HTTP],
    ['projector', ['subledger_projector', 'subledger_event_store']],
    [
      'worker',
      [
        ...['subledger_worker', 'subledger_webhook', 'subledger_payment', 'subledger_due_dates'],
        ...['subledger_refunds', 'subledger_reconciliation', 'subledger_event_store'],
      ],
    ],
  ])('shows the metrics of its process and of its own work alone: the %s', (name, own) => {
    const shown = figures.get(name) ?? '';
    expect(shown).toMatch(/^process_cpu_seconds_total \d/m);
    expect(shown).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    const names = [...shown.matchAll(/^# TYPE (subledger_\w+)/gm)].map(([, found = '']) => found);
    for (const prefix of own) expect(names).toContainEqual(expect.stringContaining(prefix));
    expect(names.filter((found) => !own.some((prefix) => found.startsWith(prefix)))).toEqual([]);
  });

  it('shows what the dashboard names, and the dashboard all of its own but a few', async () => {
    const dashboard = await readFile(path.resolve('docs/grafana/subledger.json'), 'utf8');
    const named = new Set(dashboard.match(/\b(?:subledger|process|nodejs)_\w+/g));
    const shown = [...figures.values()].join('\n');
    const declared = [...shown.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type]) =>
      type === 'histogram' ? `${name}_bucket` : name,
    );
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !declared.includes(name))).toEqual([]);
    const own = new Set(declared.filter((name) => name.startsWith('subledger_')));
    expect([...own].filter((name) => !named.has(name)).sort()).toEqual([
      'subledger_deprecated_api_key_requests_total',
      'subledger_projector_batches_total',
      'subledger_projector_fenced_total',
      'subledger_projector_lag_positions',
      'subledger_projector_rebuilds_total',
    ]);
  });
});
