import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Authority, createAuthority } from '../../../test/support/certificates.js';
import { freePort } from '../../../test/support/free-port.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../test/support/misbehaving-receiver.js';
import { EgressConnections } from './connections.js';
import { post } from './request.js';
import { openTunnel, ProxyFailed, ProxyWatch } from './proxy.js';

const PUBLIC = '93.184.216.34';

describe('a proxy for what leaves', () => {
  let authority: Authority;
  let receiver: MisbehavingReceiver;
  let proxy: Server;
  let connections: EgressConnections;
  /** The targets that it was asked to connect to, and the asking users. */
  let asked: (string | undefined)[][];
  /** The status of its answer; null for none at all. */
  let status: number | null;
  const sockets = new Set<Socket>();

  beforeAll(async () => void (authority = await createAuthority()));

  beforeEach(async () => {
    receiver = await startMisbehavingReceiver(await authority.issue(['receiver.example']));
    [asked, status] = [[], 200];
    proxy = createServer().listen(0, '127.0.0.1');
    proxy.on('connection', (socket: Socket) => sockets.add(socket));
    proxy.on('connect', ({ url, headers }, socket: Socket) => {
      asked.push([url, headers['proxy-authorization']]);
      if (status === null) return;
      socket.write(`HTTP/1.1 ${status} Said\r\n\r\n`);
      if (status !== 200) return;
      // It stands for the way to the public address.
      const onward = connect(receiver.port, '127.0.0.1');
      for (const end of [onward, socket]) end.on('error', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await once(proxy, 'listening');
    connections = through((proxy.address() as AddressInfo).port);
  });

  afterEach(async () => {
    await connections.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await receiver.close();
  });

  const through = (port: number, addresses = [PUBLIC]) =>
    new EgressConnections({
      authorities: [authority.certificate],
      proxy: new URL(`http://user:p%40ss@127.0.0.1:${port}`),
      lookUp: async () => addresses.map((address) => ({ address, family: 4 })),
    });

  const call = (url: string, { by = connections, allowInsecure = false, limitMs = 2_000 } = {}) =>
    post(by, {
      ...{ owner: 'whe_1', url, rules: { allowInsecure }, headers: {}, body: '{}' },
      ...{ answerLimitBytes: 100, signal: AbortSignal.timeout(limitMs) },
    });

  it('connects to the address that was checked, and the receiver is known by its name', async () => {
    const answer = await call('https://receiver.example:8443/ok');
    expect(answer).toMatchObject({ status: 200, remoteAddress: PUBLIC });
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(asked).toEqual([[`${PUBLIC}:8443`, authorization]]);
    expect(receiver.serverNames).toEqual(['receiver.example']);
    expect(receiver.asked[0]?.head).toMatch(/^host: receiver\.example:8443$/im);
    expect(receiver.asked[0]?.head).not.toContain('proxy');
    await expect(call('https://other.example:8443/ok')).rejects.toMatchObject({ code: 'tls' });
  });

  it('is asked nothing where a name leads to what is forbidden', async () => {
    const { port } = proxy.address() as AddressInfo;
    for (const addresses of [['127.0.0.1'], ['10.0.0.1'], [PUBLIC, '169.254.169.254']]) {
      const by = through(port, addresses);
      const calling = call('https://receiver.example/ok', { by });
      await expect(calling).rejects.toMatchObject({ code: 'forbidden_address' });
    }
    expect(asked).toEqual([]);
  });

  it('is not asked for loopback, which would be its own', async () => {
    const plain = await startMisbehavingReceiver();
    const answer = await call(`http://127.0.0.1:${plain.port}/ok`, { allowInsecure: true });
    expect([answer.status, asked]).toEqual([200, []]);
    await plain.close();
  });

  it('that is out of reach, or refuses us, has failed itself, and no receiver has', async () => {
    const by = through(await freePort());
    await expect(call('https://receiver.example/ok', { by })).rejects.toBeInstanceOf(ProxyFailed);
    for (const own of [407, 429, 500]) {
      status = own;
      const calling = call('https://receiver.example/ok');
      await expect(calling).rejects.toMatchObject({ name: 'ProxyFailed', retryable: true });
    }
    expect(connections.size).toBe(0);
  });

  it.each([403, 502, 503, 504])('that answers %i says it of the receiver', async (said) => {
    status = said;
    const failing = call('https://receiver.example/ok');
    await expect(failing).rejects.toMatchObject({ name: 'RequestFailed', code: 'proxy' });
  });

  it.each([502, null])(
    'that connects to none of two receivers in a row (%s) has failed itself',
    async (said) => {
      const { port } = proxy.address() as AddressInfo;
      const watch = new ProxyWatch();
      const tunnel = (hostname: string, address = PUBLIC) =>
        openTunnel(
          new URL(`http://127.0.0.1:${port}`),
          { hostname, addresses: [{ address, family: 4 }], port: 8443 },
          AbortSignal.timeout(status === null ? 300 : 5_000),
          watch,
        );
      const [one, other] = ['receiver.example', 'other.example'];
      status = said;
      for (const address of [PUBLIC, '93.184.216.35']) {
        await expect(tunnel(one, address)).rejects.not.toBeInstanceOf(ProxyFailed);
      }
      for (const hostname of [other, one]) {
        await expect(tunnel(hostname)).rejects.toBeInstanceOf(ProxyFailed);
      }
      status = 200;
      (await tunnel(other)).socket.destroy();
      // It works: a failed connection from now on is that receiver's failure.
      status = said;
      await expect(tunnel(one)).rejects.not.toBeInstanceOf(ProxyFailed);
    },
  );

  it('that carries answers over connections that were kept has not failed itself', async () => {
    await call('https://receiver.example:8443/ok');
    status = 502;
    const dead = (hostname: string) => call(`https://${hostname}/ok`);
    await expect(dead('one.example')).rejects.toMatchObject({ code: 'proxy' });
    await call('https://receiver.example:8443/ok');
    await expect(dead('other.example')).rejects.toMatchObject({ code: 'proxy' });
    await expect(dead('one.example')).rejects.toBeInstanceOf(ProxyFailed);
    expect(asked).toHaveLength(4);
  });

  it('is known to have failed by what is under laxer rules as well', async () => {
    status = 502;
    await expect(call('https://one.example/ok')).rejects.toMatchObject({ code: 'proxy' });
    const other = call('https://other.example/ok', { allowInsecure: true });
    await expect(other).rejects.toBeInstanceOf(ProxyFailed);
  });

  it('that has connected to nothing for an hour is not what keeps all receivers away', () => {
    const watch = new ProxyWatch();
    const now = vi.spyOn(performance, 'now');
    const laterMs = performance.now() + 3_600_000;
    expect([watch.failed('a'), watch.failed('b')]).toEqual([false, true]);
    now.mockReturnValue(laterMs);
    expect(watch.failed('a')).toBe(false);
    now.mockRestore();
  });

  it('that says nothing is still connecting: the receiver takes too long', async () => {
    status = null;
    const hanging = call('https://receiver.example/ok', { limitMs: 100 });
    await expect(hanging).rejects.toMatchObject({ name: 'RequestFailed', code: 'timeout' });
  });
});
