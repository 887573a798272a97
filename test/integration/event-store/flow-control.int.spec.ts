import { once } from 'node:events';
import { createServer, type Http2Session, type Settings } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';

const MIB = 1_048_576;

let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

it('lets the store send a mebibyte ahead, on a call as on each connection', async () => {
  const { port } = server.address() as AddressInfo;
  const store = connectEventStore(`esdb://127.0.0.1:${port}?tls=false`);
  for (const connection of [1, 2]) {
    const said = hearWindows();
    const asked = store.ping().catch(() => undefined);
    const [settings, window] = await said;
    expect([connection, settings.initialWindowSize, window]).toEqual([connection, MIB, MIB]);
    await asked;
  }
  await store.dispose();
});

/** The windows that the next connection announces; it is ended then. */
function hearWindows(): Promise<[Settings, number | undefined]> {
  return new Promise((resolve) => {
    server.once('session', (session: Http2Session) => {
      session.once('remoteSettings', (settings) => {
        // The connection's own window is widened right after, by a frame of its own.
        const timer = setInterval(() => {
          const { remoteWindowSize } = session.state;
          if (remoteWindowSize === undefined || remoteWindowSize < MIB / 2) return;
          clearInterval(timer);
          session.destroy();
          resolve([settings, remoteWindowSize]);
        }, 5);
      });
    });
  });
}
