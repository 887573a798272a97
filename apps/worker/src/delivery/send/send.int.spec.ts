import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EgressConnections } from '#egress';
import { wallClock } from '#platform';
import {
  type Authority,
  createAuthority,
  type Credentials,
} from '../../../../../test/support/certificates.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { freePort } from '../../../../../test/support/free-port.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../../../test/support/misbehaving-receiver.js';
import { type Attempted, DeliveryFailed, send } from './send.js';

const LIMIT_MS = 300;
/** The time that a busy machine may take beyond it. */
const SLACK_MS = 1_500;
/** A shorter attempt has ended by itself. */
const LONG_LIMIT_MS = 5_000;

describe('an attempt at a receiver that misbehaves', () => {
  let authority: Authority;
  let connections: EgressConnections;
  let plain: MisbehavingReceiver;
  let secure: MisbehavingReceiver;

  beforeAll(async () => {
    authority = await createAuthority();
    connections = new EgressConnections({ authorities: [authority.certificate] });
    plain = await start();
    secure = await start(await authority.issue(['localhost']));
  });

  const receivers: MisbehavingReceiver[] = [];
  const start = async (credentials?: Credentials) => {
    const receiver = await startMisbehavingReceiver(credentials);
    receivers.push(receiver);
    return receiver;
  };

  afterAll(async () => {
    await connections.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  const attempt = (url: string, more: Partial<Attempted> = {}) =>
    send({
      ...{ endpointId: 'whe_1', url, rules: { allowInsecure: true }, connections },
      ...{ headers: { 'webhook-id': 'msg_1' }, body: '{"type":"x"}', accept: '2xx' },
      ...{ clock: wallClock, limitMs: LIMIT_MS, signal: new AbortController().signal },
      ...more,
    });

  /** Its error, after it is certain that no text of the receiver is in it. */
  const fail = async (url: string, more: Partial<Attempted> = {}) => {
    const startedAt = performance.now();
    const error: unknown = await attempt(url, more).catch((thrown: unknown) => thrown);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS + SLACK_MS);
    if (!(error instanceof DeliveryFailed)) throw error;
    const { message, stack, cause, details } = error;
    const { answer: _, ...logged } = details;
    expect(JSON.stringify([logged, message, stack, cause])).not.toContain('SECRET');
    return { message, ...details };
  };

  const everywhere = [
    ['/gone', 'status', 410],
    ['/fails', 'status', 500],
    ['/busy', 'status', 429],
    ['/redirects', 'status', 302],
    ['/hangs', 'timeout', undefined],
    ['/closes-at-once', 'reset', undefined],
    ['/resets', 'reset', undefined],
    ['/resets-after-head', 'reset', 200],
    ['/resets-in-body', 'reset', 200],
    ['/ends-in-body', 'reset', 200],
    ['/drips-head', 'timeout', undefined],
    ['/drips-body', 'timeout', 200],
    ['/huge-head', 'invalid_answer', undefined],
    ['/no-http', 'invalid_answer', undefined],
    ['/continues', 'reset', undefined],
    ['/processes', 'timeout', undefined],
    ['/switches', 'reset', undefined],
  ] as const;

  it.each(everywhere)(
    'that does %s fails as %s, and leaves no connection',
    async (path, code, status) => {
      const asked = [
        { receiver: plain, url: `http://127.0.0.1:${plain.port}${path}` },
        { receiver: secure, url: `https://localhost:${secure.port}${path}` },
      ];
      // Only an answer that never comes is waited for in vain: a busy machine may take its time for the rest.
      const limitMs = code === 'timeout' ? LIMIT_MS : SLACK_MS;
      const failures = await Promise.all(asked.map(({ url }) => fail(url, { limitMs })));
      const seen = failures.map((failed) => [failed.code, failed.answer?.status]);
      expect(seen).toEqual([
        [code, status],
        [code, status],
      ]);
      // An answer that came whole leaves a connection that can be used again.
      if (code === 'status') return;
      await eventually(() => plain.countSockets() + secure.countSockets() === 0, {
        what: 'the end of its connections',
      });
      expect(connections.size).toBe(0);
    },
  );

  it.each([
    ['/ok', 'ok'],
    ['/garbage', '\ufffd\ufffd('],
  ])(
    'hands back what %s answered, and keeps its connection for the next one',
    async (path, body) => {
      const before = secure.countConnections();
      for (const _ of [1, 2]) {
        const answer = await attempt(`https://localhost:${secure.port}${path}`, {
          endpointId: path,
        });
        expect(answer).toMatchObject({ status: 200, body });
        expect(answer.durationMs).toBeGreaterThanOrEqual(0);
      }
      expect(secure.countConnections()).toBe(before + 1);
    },
  );

  it.each(['/endless-body', '/endless-chunks'])(
    'needs no more than the beginning of %s, and closes the connection',
    async (path) => {
      const url = `http://127.0.0.1:${plain.port}${path}`;
      const answer = await attempt(url, { endpointId: path, limitMs: LONG_LIMIT_MS });
      expect(answer.status).toBe(200);
      expect(answer.body).toHaveLength(1_024);
      expect(answer.durationMs).toBeLessThan(LONG_LIMIT_MS);
      await eventually(() => plain.countSockets() === 0, { what: 'the end of its connections' });
    },
  );

  it('that is gone says so, and one that is busy says for how long', async () => {
    const gone = await fail(`http://127.0.0.1:${plain.port}/gone`);
    expect(gone).toMatchObject({ isGone: true, retryAfterMs: 0 });
    expect(gone.answer?.body).toContain('SECRET');
    const busy = await fail(`http://127.0.0.1:${plain.port}/busy`);
    expect(busy).toMatchObject({ isGone: false, retryAfterMs: 120_000 });
    expect(busy.message).toBe('the receiver answered 429');
  });

  it('fails as refused where nothing listens', async () => {
    const refused = await fail(`http://127.0.0.1:${await freePort()}/`);
    expect(refused).toMatchObject({ code: 'refused', message: expect.stringContaining('REFUSED') });
    expect(refused.answer).toBeUndefined();
  });

  it('fails as timeout where the connection is taken and TLS never begins, and leaves no connection', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const sockets = new Set<Socket>();
    silent.on('connection', (socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => sockets.delete(socket)).resume();
    });
    // A server that listens on TCP has an address with a port.
    const { port } = silent.address() as AddressInfo;
    const before = connections.size;
    const failed = await fail(`https://localhost:${port}/`);
    expect(failed.code).toBe('timeout');
    await eventually(() => sockets.size === 0, { what: 'the end of its connection' });
    expect(connections.size).toBeLessThanOrEqual(before);
    silent.close();
  });

  it('fails as tls where the certificate has expired, is for another name or of another authority, or there is no TLS', async () => {
    const other = await createAuthority();
    const wrong = await Promise.all(
      [
        authority.issue(['localhost'], 0.5),
        authority.issue(['receiver.example']),
        other.issue(['localhost']),
      ].map(async (credentials) => start(await credentials)),
    );
    const ports = [...wrong, plain].map(({ port }) => port);
    const failures = await Promise.all(ports.map((port) => fail(`https://localhost:${port}/ok`)));
    expect(failures.map(({ code }) => code)).toEqual(['tls', 'tls', 'tls', 'tls']);
    expect(failures.map(({ message }) => message)).toEqual([
      'certificate has expired',
      expect.stringContaining('does not match certificate'),
      expect.stringContaining('certificate'),
      expect.stringContaining('wrong version'),
    ]);
    expect(wrong.flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('that is given up with the process says so at once', async () => {
    const stopping = new AbortController();
    const url = `http://127.0.0.1:${plain.port}/hangs`;
    const attempting = attempt(url, { signal: stopping.signal, limitMs: 5_000 });
    setTimeout(() => stopping.abort(new Error('it stops')), 20);
    await expect(attempting).rejects.toThrow('it stops');
  });
});
