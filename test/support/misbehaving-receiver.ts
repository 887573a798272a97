import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Credentials } from './certificates.js';
import { MISBEHAVIOURS } from './misbehaviour.js';
import { listenOnLoopback } from './listen.js';

/** The first byte of a client of TLS. */
const TLS_HANDSHAKE = 0x16;

/** A receiver that behaves by path as `MISBEHAVIOURS` says, whatever the query. */
export interface MisbehavingReceiver {
  readonly port: number;
  /** The paths that were asked for, in their order, with how each came. */
  readonly asked: readonly {
    readonly path: string;
    readonly head: string;
    readonly body: string;
  }[];
  /** The names by which TLS clients asked for it. */
  readonly serverNames: readonly string[];
  /** Connections that are open now, those without a request, too. */
  countSockets(): number;
  /** How many there ever were. */
  countConnections(): number;
  close(): Promise<void>;
}

/** Listens on loopback, over TLS where it has credentials. */
export async function startMisbehavingReceiver(
  credentials?: Credentials,
): Promise<MisbehavingReceiver> {
  const asked: { path: string; head: string; body: string }[] = [];
  const serverNames: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined);
    serveRequests(socket, (request) => asked.push(request));
  };
  const server: Server =
    credentials === undefined
      ? createServer(serve)
      : createTlsServer(credentials, (socket) => {
          serverNames.push(String(socket.servername));
          serve(socket);
        });
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listenOnLoopback(server);
  return {
    ...{ port, asked, serverNames },
    countSockets: () => sockets.size,
    countConnections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Requests of a connection one after the other, each with a `content-length`, as our own are. */
function serveRequests(
  socket: Socket,
  onRequest: (request: { path: string; head: string; body: string }) => void,
): void {
  let unread = '';
  socket.on('data', (chunk: Buffer) => {
    unread += chunk.toString('latin1');
    // As real servers do where they are spoken to by TLS and expect none.
    if (chunk[0] === TLS_HANDSHAKE) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const [head = '', rest] = unread.split(/\r\n\r\n(.*)/s);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (rest === undefined || rest.length < length) return;
    unread = rest.slice(length);
    const path = /^\w+ (\S+)/.exec(head)?.[1] ?? '';
    onRequest({ path, head, body: Buffer.from(rest.slice(0, length), 'latin1').toString() });
    MISBEHAVIOURS[path.split('?', 1)[0] ?? '']?.(socket);
  });
}
