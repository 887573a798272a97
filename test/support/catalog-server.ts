import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from './listen.js';

/** The answer of a studio's backend to a request for a player's catalog. */
export interface CatalogAnswer {
  readonly status?: number;
  /** Anything but a string or bytes is written as JSON. */
  readonly body: unknown;
}

/** The backend of a studio that lists its players' items. */
export interface CatalogServer {
  /** As an app's `catalog.baseUrl`. */
  readonly baseUrl: string;
  /** Its requests, in order. */
  readonly asked: readonly {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** The answers from then on, to all or by the request. */
  answerWith(answer: CatalogAnswer | ((url: string) => Promise<CatalogAnswer>)): void;
  close(): Promise<void>;
}

/** One item of a catalog, good in all its fields but for those that are given. */
export function catalogItem(id: string, other: object = {}): object {
  const picture = `https://cdn.game.example/${encodeURIComponent(id)}.png`;
  const text = { name: `Item ${id}`, description: 'Shines.', image: picture };
  return { id, ...text, price: { currency: 'USD', amount: '9.99' }, ...other };
}

/** Listens on loopback, and has an empty shop until `answerWith` sets another answer. */
export async function startCatalogServer(): Promise<CatalogServer> {
  const asked: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  let answer = async (_url: string): Promise<CatalogAnswer> => ({ body: { rows: [] } });
  const server = createServer(({ method = '', url = '', headers }, response) => {
    asked.push({ method, url, headers });
    void answer(url).then(({ status = 200, body }) => {
      const isWritten = typeof body === 'string' || Buffer.isBuffer(body);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(isWritten ? body : JSON.stringify(body));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    answerWith: (next) => {
      answer = typeof next === 'function' ? next : async () => next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
