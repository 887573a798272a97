import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous } from '../support/api-client.js';
import { subledger } from '../support/cli.js';
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

/** Starts a program and stops it when it follows the store. @returns what it has told about itself. */
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
  it.each(['api', 'storefront', 'projector', 'worker'])(
    'holds at most thirty long calls to the event store: the %s',
    async (name) => {
      await init('studio_b', '--partitions', '16');
      const figures = await readMetrics(name, 'studio_b');
      const [, longCalls] = /^subledger_event_store_long_calls (\d+)$/m.exec(figures) ?? [];
      expect(Number(longCalls)).toBeGreaterThan(0);
      expect(Number(longCalls)).toBeLessThanOrEqual(30);
    },
  );
});
