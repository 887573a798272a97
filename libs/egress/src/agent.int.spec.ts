import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Agent, request } from 'undici';
import { createEgressAgent } from './agent.js';

describe('an agent for addresses that others gave us', () => {
  const strict = createEgressAgent({ allowInsecure: false });
  const lax = createEgressAgent({ allowInsecure: true });
  let server: Server;
  let port: number;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((asked, answer) => {
      requests += 1;
      if (asked.url === '/hangs') return;
      if (asked.url === '/redirect') answer.writeHead(302, { location: '/' }).end();
      else answer.end('heard');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an address with a port.
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(async () => {
    await Promise.all([strict.close(), lax.close()]);
    server.close();
  });

  const call = (url: string, dispatcher: Agent) => request(url, { dispatcher, method: 'POST' });

  it('refuses a name that resolves to this machine, before connecting', async () => {
    await expect(call(`http://localhost:${port}/`, strict)).rejects.toThrow('not public');
    expect(requests).toBe(0);
  });

  it('refuses an address that no resolver is asked for', async () => {
    await expect(call(`http://127.0.0.1:${port}/`, strict)).rejects.toMatchObject({
      code: 'ERR_FORBIDDEN_TARGET',
    });
    expect(requests).toBe(0);
  });

  it.each(['http://93.184.216.34/', 'http://93.184.216.34:8080/', 'http://[2606:2800::1]/'])(
    'refuses http beyond this machine, also where http is allowed: %s',
    async (url) => {
      await expect(call(url, lax)).rejects.toMatchObject({ code: 'ERR_FORBIDDEN_TARGET' });
    },
  );

  it('reaches this machine where that is allowed, and follows no redirect', async () => {
    const heard = await call(`http://localhost:${port}/`, lax);
    expect(await heard.body.text()).toBe('heard');
    const redirected = await call(`http://127.0.0.1:${port}/redirect`, lax);
    await redirected.body.dump();
    expect(redirected.statusCode).toBe(302);
    expect(requests).toBe(2);
  });

  it('reaches an origin of which many addresses hang: they may be those of others', async () => {
    const agent = createEgressAgent({ allowInsecure: true });
    const hang = () => call(`http://127.0.0.1:${port}/hangs`, agent);
    const hanging = Promise.allSettled(Array.from({ length: 40 }, hang));
    const answer = await call(`http://127.0.0.1:${port}/`, agent);
    expect(await answer.body.text()).toBe('heard');
    await agent.destroy();
    expect((await hanging).every(({ status }) => status === 'rejected')).toBe(true);
  }, 2_000);
});
