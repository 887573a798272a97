import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type RunningRedis, startRedis } from '../support/redis.js';
import { RestartableStore } from '../integration/event-store/support.js';

interface Program {
  readonly child: ChildProcess;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<unknown>;
  readonly log: () => string;
  readonly readyz: () => Promise<{ status: number; text: string }>;
}

/** rules/storage 8: all programs are stopped before; these ones were forgotten. */
describe('programs that run while their ledger is divided anew', () => {
  let store: RestartableStore;
  let redis: RunningRedis;
  let programs: Record<'api' | 'projector' | 'storefront' | 'worker', Program>;

  async function start(name: string): Promise<Program> {
    const adminPort = String(await freePort());
    const child = spawn(process.execPath, [path.resolve('dist/programs', `${name}.js`)], {
      env: {
        ...process.env,
        EVENTSTOREDB_URL: store.connectionString,
        REDIS_URL: redis.url,
        MASTER_KEY: randomBytes(32).toString('base64'),
        ...{ PORT: '0', STOREFRONT_PORT: '0', ADMIN_PORT: adminPort, LOG_LEVEL: 'info' },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const ended = once(child, 'close').then(([code]: unknown[]) => code);
    const admin = anonymous(`http://127.0.0.1:${adminPort}`);
    const readyz = () => admin.get('/readyz').catch(() => ({ status: 0, text: '' }));
    await eventually(async () => (await readyz()).status === 200, { what: `the ${name}` });
    return { child, ended, log: () => log, readyz };
  }

  beforeAll(async () => {
    [store, redis] = await Promise.all([RestartableStore.start(), startRedis()]);
    const env = { EVENTSTOREDB_URL: store.connectionString };
    await subledger(['store', 'init', '--partitions', '2'], env);
    const names = ['api', 'projector', 'storefront', 'worker'];
    const [api, projector, storefront, worker] = await Promise.all(names.map(start));
    programs = { api, projector, storefront, worker } as typeof programs;
    await subledger(['store', 'partitions', '4'], env);
  });
  afterAll(async () => {
    for (const { child, ended } of Object.values(programs)) {
      child.kill('SIGKILL');
      await ended;
    }
    await store.remove();
    await redis.stop();
  });

  it.each(['worker', 'projector', 'api', 'storefront'] as const)(
    'the %s ends, and says why',
    async (name) => {
      const { ended, log } = programs[name];
      expect(await ended).toBe(1);
      expect(log()).toMatch(/the ledger is another one now, or divided anew/);
    },
  );
});
