import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { runProgramToEnd } from '../support/program.js';
import { type RunningRedis, startRedis } from '../support/redis.js';
import { RestartableStore } from '../integration/event-store/support.js';
import { makeKey } from '../integration/sealing/support.js';

let store: RestartableStore;
let redis: RunningRedis;
let keyFile: string;

beforeAll(async () => {
  keyFile = path.join(await mkdtemp(path.join(tmpdir(), 'subledger-key-')), 'seal.key');
  await writeFile(keyFile, makeKey());
  store = await RestartableStore.start();
  redis = await startRedis();
});
afterAll(async () => {
  await store.remove();
  await redis.stop();
  await rm(path.dirname(keyFile), { recursive: true });
});

const init = (namespace: string, ...options: string[]) =>
  subledger(['store', 'init', ...options], {
    EVENTSTOREDB_URL: store.connectionString,
    STREAM_NAMESPACE: namespace,
  });

const settings = (namespace: string) => ({
  EVENTSTOREDB_URL: store.connectionString,
  STREAM_NAMESPACE: namespace,
  REDIS_URL: redis.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  SEAL_KEY_FILE: keyFile,
  ...{ PORT: '0', STOREFRONT_PORT: '0' },
});

interface Started {
  readonly child: ChildProcess;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<unknown>;
  readonly log: () => string;
  /** Its metrics when it was ready. */
  readonly figures: string;
}

/** Starts a program, and waits until it is ready and follows the store. */
async function start(name: string, namespace: string): Promise<Started> {
  const adminPort = String(await freePort());
  const child = spawn(process.execPath, [path.resolve('dist/programs', `${name}.js`)], {
    env: { ...process.env, ...settings(namespace), ADMIN_PORT: adminPort },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  const admin = anonymous(`http://127.0.0.1:${adminPort}`);
  let figures = '';
  const isReady = async () => {
    const readyz = await admin.get('/readyz').catch(() => undefined);
    if (readyz?.status !== 200) return false;
    figures = (await admin.get('/metrics')).text;
    return /^subledger_event_store_long_calls [1-9]/m.test(figures);
  };
  await eventually(isReady, { what: `the ${name}` });
  return { child, ended, log: () => log, figures };
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
    const names = ['api', 'storefront', 'projector', 'worker', 'bookkeeper'];
    const ended = await Promise.all(
      names.map((name) => runProgramToEnd(name, settings('studio_z'))),
    );
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
  const PROGRAMS = ['api', 'storefront', 'projector', 'worker', 'bookkeeper'] as const;
  const started = new Map<string, Started>();

  beforeAll(async () => {
    await init('studio_b', '--partitions', '16');
    const startOne = async (name: string) => started.set(name, await start(name, 'studio_b'));
    await Promise.all(PROGRAMS.map(startOne));
  });
  afterAll(async () => {
    for (const { child, ended } of started.values()) {
      child.kill('SIGKILL');
      await ended;
    }
  });

  it.each(PROGRAMS)('holds at most thirty long calls to the event store: the %s', (name) => {
    const [, longCalls] =
      /^subledger_event_store_long_calls (\d+)$/m.exec(started.get(name)?.figures ?? '') ?? [];
    expect(Number(longCalls)).toBeGreaterThan(0);
    expect(Number(longCalls)).toBeLessThanOrEqual(30);
  });

  const HTTP = ['subledger_http_request', 'subledger_event_store'];
  it.each([
    ['api', ['subledger_deprecated_api_key', 'subledger_rate_limited', ...HTTP]],
    ['storefront', HTTP],
    ['bookkeeper', ['subledger_seal', 'subledger_books', 'subledger_event_store']],
    [
      'projector',
      ['subledger_projector', 'subledger_projection', 'subledger_rebuild', 'subledger_event_store'],
    ],
    [
      'worker',
      [
        ...['subledger_worker', 'subledger_webhook', 'subledger_payment', 'subledger_due_dates'],
        ...['subledger_refunds', 'subledger_reconciliation', 'subledger_event_store'],
      ],
    ],
  ])('shows the metrics of its process and of its own work alone: the %s', (name, own) => {
    const shown = started.get(name)?.figures ?? '';
    expect(shown).toMatch(/^process_cpu_seconds_total \d/m);
    expect(shown).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    const names = [...shown.matchAll(/^# TYPE (subledger_\w+)/gm)].map(([, found = '']) => found);
    for (const prefix of own) expect(names).toContainEqual(expect.stringContaining(prefix));
    expect(names.filter((found) => !own.some((prefix) => found.startsWith(prefix)))).toEqual([]);
  });

  it('shows what the dashboard names, and the dashboard all of its own but a few', async () => {
    const dashboard = await readFile(path.resolve('docs/grafana/subledger.json'), 'utf8');
    const named = new Set(dashboard.match(/\b(?:subledger|process|nodejs)_\w+/g));
    const shown = [...started.values()].map(({ figures }) => figures).join('\n');
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
      'subledger_projector_rebuilds_total',
    ]);
  });

  /** rules/storage 8: all programs are stopped before; these ones were forgotten. */
  describe('that is divided anew meanwhile', () => {
    beforeAll(async () => {
      const { EVENTSTOREDB_URL, STREAM_NAMESPACE } = settings('studio_b');
      const { code } = await subledger(['store', 'partitions', '32'], {
        ...{ EVENTSTOREDB_URL, STREAM_NAMESPACE },
      });
      expect(code).toBe(0);
    });

    it.each(PROGRAMS)('ends, and says why: the %s', async (name) => {
      const program = started.get(name);
      expect(await program?.ended).toBe(1);
      expect(program?.log()).toMatch(/the ledger is another one now, or divided anew/);
    });
  });
});
