import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStoreStartRefused } from '../failures.js';
import { FOLLOWED_VERSION } from '../grpc/server-info.js';

/** The ways to authenticate, in EventStoreDB's words. */
export type Authentication = 'insecure' | 'internal';

/**
 * The two HTTP addresses of an EventStoreDB node that monitors ask: `/info` describes it, and `/health/live` says that
 * it is ready. Both need no credentials there either. It is a port of its own here, since the other one speaks gRPC
 * only.
 */
export class AdminServer {
  private constructor(private readonly server: Server) {}

  /** Listens on the port, any free one for 0. Throws `EventStoreStartRefused` if it is taken. */
  static async listen(
    host: string,
    port: number,
    authentication: Authentication,
  ): Promise<AdminServer> {
    const info = JSON.stringify(nodeInfo(authentication));
    const server = createServer((request, response) => answer(request, response, info));
    server.listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EventStoreStartRefused(
        `The admin port ${port} can't be listened on (${why}): choose another with --admin-port.`,
      );
    }
    return new AdminServer(server);
  }

  get port(): number {
    // A server that listens on a port has an address of this form.
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

/** The answer of a node's `/info`; the names are EventStoreDB's. */
function nodeInfo(authentication: Authentication): object {
  return {
    esVersion: FOLLOWED_VERSION,
    state: 'leader',
    features: { projections: false, userManagement: false, atomPub: false },
    authentication: { type: authentication, properties: null },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, info: string): void {
  const path = request.url?.split('?')[0];
  if (path !== '/info' && path !== '/health/live') response.writeHead(404).end();
  else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else if (path === '/health/live') response.writeHead(204).end();
  else response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(info);
}
