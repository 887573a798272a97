import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, bearer, operatorClient } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { grantOperatorToken } from '../support/operators.js';
import { listProcesses } from '../support/processes.js';
import {
  type Part,
  type RunningStandalone,
  runToEnd,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

const MAIN = path.resolve('dist/programs/standalone.js');
/** Variables of language and addresses (rules/running 6). */
const EVERYBODY_GETS =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_OPTIONS|SSL_CERT_\w+)$/;

describe('the standalone', () => {
  const folder = temporaryDataDir();
  let standalone: RunningStandalone;
  /** Of its second start. */
  let adminPort: number;

  beforeAll(async () => {
    standalone = await startStandalone(folder.dataDir);
  });

  afterAll(async () => {
    await standalone.stop();
    folder.remove();
  });

  it('keeps its secrets to its owner', async () => {
    for (const file of ['demo.json', 'master.key', 'redis/connection-string']) {
      const { mode } = await stat(path.join(folder.dataDir, file));
      expect((mode & 0o777).toString(8)).toBe('600');
    }
    expect(((await stat(folder.dataDir)).mode & 0o777).toString(8)).toBe('700');
    const { ingressSecret, operatorToken, apiKey } = standalone.demo;
    const logs = path.join(folder.dataDir, 'logs');
    for (const file of await readdir(logs)) {
      const text = await readFile(path.join(logs, file), 'utf8');
      for (const secret of [ingressSecret, operatorToken, apiKey]) {
        expect(text.includes(secret)).toBe(false);
      }
    }
  });

  it('shows no secret in the list of processes', async () => {
    const commandLines = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    const redis = commandLines.filter((line) => line.includes('redis-server'));
    expect(redis.length).toBeGreaterThan(0);
    expect(redis.join(' ')).not.toContain('requirepass');
  });

  it('refuses a data directory that another one uses', async () => {
    const { code, stderr } = await runToEnd({ DATA_DIR: folder.dataDir });
    expect(code).toBe(1);
    expect(stderr).toMatch(/in use|another process/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('tells its programs what they need to know, and nothing else', async () => {
    const common = ['EVENTSTOREDB_URL', 'LOG_LEVEL', 'REDIS_URL', 'SUPERVISED'];
    const authorities = ['NODE_EXTRA_CA_CERTS'].filter((name) => name in process.env);
    const secrets = [
      ...['ALLOW_INSECURE_TARGETS', 'MASTER_KEY_FILE', 'SANDBOX_IN_PRODUCTION_APPS'],
      ...authorities,
    ];
    const expected = {
      'event-store': [],
      bookkeeper: [
        ...[...common, 'INSTANCE_NAME'],
        ...['BOOKKEEPER_PORT', 'BOOKS_DIR', 'BOOKS_INTERVAL_SECONDS', 'MASTER_KEY_FILE'],
        ...['SEAL_INTERVAL_SECONDS', 'SEAL_KEY_FILE', 'SEAL_ORIGIN_HOST'],
      ],
      projector: [...common, 'FORMER_READ_MODEL_HOURS', 'INSTANCE_NAME'],
      worker: [...secrets, ...common, 'INSTANCE_NAME', 'STOREFRONT_URL'],
      api: [
        ...[...secrets, ...common, 'BOOKKEEPER_URL', 'FORMER_READ_MODEL_HOURS'],
        ...['HOST', 'PORT', 'STOREFRONT_URL'],
      ],
      storefront: [...[...secrets, ...common], ...['HOST', 'STOREFRONT_PORT', 'STOREFRONT_URL']],
    };
    // Redis writes its title over the system's copy of its environment.
    expect(Object.keys(await standalone.readEnvironment('redis'))).not.toContain('MASTER_KEY_FILE');
    for (const [part, names] of Object.entries(expected)) {
      const told = await standalone.readEnvironment(part as Part);
      expect(told['PATH']).toBe(process.env['PATH']);
      const own = Object.keys(told).filter((name) => !EVERYBODY_GETS.test(name));
      expect([part, ...own.sort()]).toEqual([part, ...[...names].sort()]);
    }
  });

  it('explains itself, and names every bad setting at once', async () => {
    const help = await runToEnd({}, ['--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('DATA_DIR');
    expect((await runToEnd({}, ['--version'])).stdout).toMatch(/^subledger \d+\.\d+\.\d+\n$/);
    const flag = await runToEnd({}, ['--nonsense', '--json']);
    expect(flag.code).toBe(2);
    expect(JSON.parse(flag.stderr)).toMatchObject({ error: { kind: 'usage', exitCode: 2 } });
    const settings = await runToEnd({ PORT: 'http', LOG_LEVEL: 'loud', MASTER_KEY: 'abc' });
    expect(settings.code).toBe(2);
    for (const name of ['PORT', 'LOG_LEVEL', 'MASTER_KEY']) expect(settings.stderr).toContain(name);
    expect(settings.stderr).not.toContain('abc');
  });

  it('takes all of its parts with it, also when it is killed', async () => {
    const killed = standalone;
    const tokens = await someTokens(killed);
    await killed.kill();
    await eventually(async () => (await listProcesses(folder.dataDir)).length === 0, {
      what: 'the end of the parts (Redis ends at the next start)',
    });
    adminPort = await freePort();
    standalone = await startStandalone(folder.dataDir, { ADMIN_PORT: String(adminPort) });
    const { baseUrl, demo } = standalone;
    expect(demo.appId).toBe(killed.demo.appId);
    // A revoked token stays so, and the demo's token of the start before is no longer good.
    const path = `/manage/apps/${demo.appId}`;
    const status = async (token: string) => (await bearer(baseUrl, token).get(path)).status;
    expect(await status(tokens.good)).toBe(200);
    expect(await status(tokens.revoked)).toBe(401);
    expect(await status(killed.demo.operatorToken)).toBe(401);
    expect(await status(demo.operatorToken)).toBe(200);
    expect(await listProcesses(folder.dataDir, 'redis-server')).toHaveLength(1);
  });

  describe('with ADMIN_PORT', () => {
    const api = () => anonymous(standalone.baseUrl);
    const admin = () => anonymous(`http://127.0.0.1:${adminPort}`);

    it('health and metrics are there, and not where the public calls', async () => {
      expect((await admin().get('/metrics')).text).not.toMatch(/subledger_(projector|worker)_/);
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        expect([path, (await admin().get(path)).status]).toEqual([path, 200]);
        expect([path, ...refusal(await api().get(path))]).toEqual([path, 404, 5, 'PATH_NOT_FOUND']);
      }
    });

    it('the API follows the store once for all that it keeps in memory, beside its appends', async () => {
      const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
      const app = { name: 'appended', environment: 'test' };
      expect((await bearer(standalone.baseUrl, token).post('/manage/apps', app)).status).toBe(200);
      const figures = (await admin().get('/metrics')).text;
      expect(/^subledger_event_store_long_calls (\d+)$/m.exec(figures)?.[1]).toBe('2');
    });

    it('the API is not there', async () => {
      for (const path of ['/sdk/plans', '/manage/apps', '/docs', '/openapi.json', '/checkout/x']) {
        expect([path, ...refusal(await admin().get(path))]).toEqual([
          path,
          404,
          5,
          'PATH_NOT_FOUND',
        ]);
      }
      expect((await api().get('/openapi.json')).status).toBe(200);
    });
  });

  it.each(['worker.js'])(
    'leaves nothing behind when it is stopped as soon as there is a process of %s',
    async (part) => {
      const other = temporaryDataDir();
      const ended = await signalDuringStart(other.dataDir, part, 'SIGTERM');
      expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await listProcesses(other.dataDir, '')).toEqual([]);
      other.remove();
    },
  );

  it.each(['projector.js'])(
    'takes its parts with it when it is killed as soon as there is a process of %s',
    async (part) => {
      const other = temporaryDataDir();
      await signalDuringStart(other.dataDir, part, 'SIGKILL');
      await eventually(async () => (await listProcesses(other.dataDir)).length === 0, {
        what: 'the end of the parts',
      });
      other.remove();
    },
  );

  it('kills its parts at the second signal, also one that stands still', async () => {
    await standalone.pausePart('redis');
    let code: number | null | undefined;
    await eventually(
      () => {
        void standalone.stop().then((exitCode) => (code = exitCode));
        return code !== undefined;
      },
      { what: 'the end at the second signal' },
    );
    expect(code).toBe(130);
    await eventually(async () => (await listProcesses(folder.dataDir, '')).length === 0, {
      what: 'the end of the parts',
    });
  });
});

/** Two tokens for the demo app, one of which is revoked. */
async function someTokens({ demo }: RunningStandalone): Promise<{ good: string; revoked: string }> {
  const operator = operatorClient(demo);
  const path = `/manage/apps/${demo.appId}/operator-tokens`;
  const issued = await Promise.all([0, 1].map(() => operator.post(path, { roles: ['viewer'] })));
  const [good, revoked] = issued.map(({ body }) => String(body['token']));
  await operator.send('DELETE', `${path}/${String(issued[1]?.body['id'])}`);
  return { good: good ?? '', revoked: revoked ?? '' };
}

/** Starts a standalone and signals it as soon as there is a process of a part. @returns how it ended. */
async function signalDuringStart(dataDir: string, part: string, signal: NodeJS.Signals) {
  const ended = runToEnd({ DATA_DIR: dataDir });
  await eventually(async () => (await listProcesses(dataDir, part)).length > 0, {
    what: `a process of ${part}`,
    longestPollMs: 5,
  });
  const [main] = await listProcesses(dataDir, MAIN);
  process.kill(Number(main?.pid), signal);
  return ended;
}
