import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { connectEventStore } from '#event-store/connect';
import {
  type Answer,
  type ApiClient,
  backendClient,
  operatorClient,
} from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { listenOnLoopback } from '../support/listen.js';
import { startRedis } from '../support/redis.js';
import { buy, checkoutLink, createPlan } from '../support/scenario.js';
import {
  type RunningStandalone,
  runToEnd,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

/** Far more than the acts in flight need, and less than a buyer or a half-sent request could hold it. */
const STOP_MS = 9_000;
const WARNING = 40;

/** Everything that can be in flight is, when the standalone is asked to stop. */
describe('an orderly stop', () => {
  const folder = temporaryDataDir();
  let standalone: RunningStandalone;
  let backend: ApiClient;
  let receiver: Server;
  let receivedCount = 0;
  let waitingBuyer: Answer;
  let lateAnswer: string;
  let exitCode: number | null;
  let tookMs: number;

  beforeAll(async () => {
    receiver = createServer(() => (receivedCount += 1));
    const port = await listenOnLoopback(receiver);
    standalone = await startStandalone(folder.dataDir);
    backend = backendClient(standalone.demo);
    const operator = operatorClient(standalone.demo);
    const { appId } = standalone.demo;
    await operator.post(`/manage/apps/${appId}/webhook-endpoints`, {
      url: `http://127.0.0.1:${port}/`,
    });
    await createPlan(operator, appId, { code: 'gold' });
    await buy(backend, { plan: 'gold', player: 'last' });
    await eventually(() => receivedCount > 0, { what: 'a delivery that gets no answer' });
    const halfSent = await openSocket(standalone.baseUrl);
    halfSent.write('GET /sdk/plans HTTP/1.1\r\nhost: here\r\n');
    const neverSent = await openSocket(standalone.baseUrl);
    neverSent.write('GET /sdk/plans HTTP/1.1\r\n');
    // Last, since the gateway captures a pending payment after seconds, and the stop comes before it.
    const { id } = await checkoutLink(backend, { plan: 'gold', player: 'waiting' });
    const buying = backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_pending' });
    await eventually(() => hasAttempt(backend, id), { what: 'the attempt of the waiting buyer' });

    const startedAt = performance.now();
    // Heard twice, as from a terminal and from npm: that is no reason to hurry.
    const stopped = standalone.stop(['SIGINT', 'SIGTERM']);
    await eventually(() => isClosed(standalone.baseUrl), { what: 'the end of listening' });
    lateAnswer = await finish(halfSent);
    waitingBuyer = await buying;
    exitCode = await stopped;
    tookMs = performance.now() - startedAt;
    neverSent.destroy();
  });

  afterAll(async () => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    folder.remove();
  });

  it('succeeds, and takes no longer than what is in flight needs', () => {
    expect(exitCode).toBe(0);
    expect(tookMs).toBeLessThan(STOP_MS);
  });

  it('shows a waiting buyer that the payment is on its way', () => {
    expect([waitingBuyer.status, waitingBuyer.body]).toEqual([202, { status: 'pending' }]);
  });

  it('refuses what comes over an open connection with the body that every error has', () => {
    const [head = '', body = ''] = lateAnswer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 503 /);
    expect(head).toMatch(/^retry-after: [1-9]\d*$/im);
    expect(head).toMatch(/^connection: close$/im);
    const requestId = /^x-request-id: (.+)$/im.exec(head)?.[1];
    const retryDelay = expect.stringMatching(/^[1-9]\d*s$/) as unknown;
    expect(JSON.parse(body)).toEqual({
      code: 14,
      message: expect.stringContaining('stopping') as unknown,
      details: [
        expect.objectContaining({ '@type': detailType('ErrorInfo'), reason: 'STOPPING' }),
        { '@type': detailType('RetryInfo'), retryDelay },
        { '@type': detailType('RequestInfo'), requestId, servingData: '' },
      ],
    });
  });

  it.each(['api', 'worker', 'projector'])(
    'meets nothing to complain of in the %s',
    async (name) => {
      const text = await readFile(path.join(folder.dataDir, 'logs', `${name}.log`), 'utf8');
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string; level: number });
      const stopping = lines.findIndex(({ msg }) => msg === 'stopping');
      expect(stopping).toBeGreaterThanOrEqual(0);
      expect(lines.slice(stopping).filter(({ level }) => level >= WARNING)).toEqual([]);
    },
  );

  it('leaves its deliveries in flight, and leaves in the store how far the worker has come', async () => {
    const { checkpoint, inFlight } = await keptInRedis(folder.dataDir);
    expect(inFlight.length).toBeGreaterThan(0);
    const countBefore = receivedCount;
    standalone = await startStandalone(folder.dataDir);
    try {
      expect(await readBackups(standalone)).toContain(checkpoint);
      await eventually(() => receivedCount > countBefore, { what: 'the delivery, again' });
    } finally {
      expect(await standalone.stop()).toBe(0);
    }
  });

  it('is not started again without its master key, or with another one, and then writes nothing', async () => {
    const { dataDir } = folder;
    const otherKey = Buffer.alloc(32, 1).toString('base64');
    const withOther = await runToEnd({ DATA_DIR: dataDir, MASTER_KEY: otherKey });
    expect(withOther.code).toBe(1);
    expect(withOther.stderr).toContain('were sealed with another master key');
    expect(withOther.stderr.trim().split('\n')).toHaveLength(1);

    const keyFile = path.join(dataDir, 'master.key');
    await rm(keyFile);
    const before = await listContent(dataDir);
    const lost = await runToEnd({ DATA_DIR: dataDir });
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain(`${keyFile} is missing`);
    expect(lost.stderr.trim().split('\n')).toHaveLength(1);
    expect(await listContent(dataDir)).toEqual(before);
  });
});

function detailType(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

async function hasAttempt(backend: ApiClient, linkId: string): Promise<boolean> {
  return (await backend.get(`/checkout/${linkId}`)).text.includes('on its way');
}

async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) =>
    socket.once('connect', resolve).once('error', reject),
  );
  return socket;
}

async function isClosed(baseUrl: string): Promise<boolean> {
  return openSocket(baseUrl).then(
    (socket) => (socket.destroy(), false),
    () => true,
  );
}

/** Sends the end of a request. @returns the whole answer, up to the end of the connection. */
async function finish(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write('\r\n');
  await closed;
  return text;
}

/** The worker's progress on the disk of Redis, read from a copy. */
async function keptInRedis(dataDir: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'subledger-redis-'));
  await cp(path.join(dataDir, 'redis'), dir, { recursive: true });
  const server = await startRedis({ dir, appendOnly: true });
  const redis = new Redis(server.url);
  try {
    const one = async (pattern: string) => (await redis.keys(pattern))[0] ?? '';
    return {
      checkpoint: await keptPosition(redis, await one('*:feed:checkpoint')),
      inFlight: await redis.zrange(await one('*:feed:in-flight'), '0', '-1'),
    };
  } finally {
    redis.disconnect();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function keptPosition(redis: Redis, key: string): Promise<unknown> {
  const { position } = JSON.parse((await redis.get(key)) ?? '{}') as { position?: unknown };
  return position;
}

/** The positions of the checkpoint's backups in the store. */
async function readBackups(standalone: RunningStandalone): Promise<unknown[]> {
  const { EVENTSTOREDB_URL = '' } = await standalone.readEnvironment('worker');
  const store = connectEventStore(EVENTSTOREDB_URL);
  const positions: unknown[] = [];
  try {
    const { layoutId } = await store.namespaces.require();
    for await (const { data } of store.readStream(`delivery_checkpoint-${layoutId}.0`)) {
      positions.push((data as { position: unknown }).position);
    }
  } finally {
    await store.dispose();
  }
  return positions;
}

/** Every file below a directory, with when it was last written. */
async function listContent(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const told = names.map(async (name) => {
    return `${name} ${(await stat(path.join(dataDir, name))).mtimeMs}`;
  });
  return (await Promise.all(told)).sort();
}
