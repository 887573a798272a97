import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectProcessMetrics, metrics, type Shutdown } from '#platform';
import { ApiError } from '../http/answer/api-error.js';
import { FOR_ITS_CALLER_ALONE } from '../http/answer/cache-control.js';
import { errorBody, retryAfterSeconds } from '../http/answer/error-body.js';
import { noPath } from '../http/edge/routes.js';
import type { Readiness } from './readiness.js';

interface AdminConfig {
  /** ADMIN_PORT; nothing listens without one (rules/api 10). */
  readonly adminPort: number | undefined;
  readonly host: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Serves health, readiness and metrics of a program on a port of their own, until the shutdown.
 *
 * @returns its address; undefined without a port. @throws when the port is taken.
 */
export async function startAdminServer(
  { adminPort, host }: AdminConfig,
  readiness: Readiness,
  shutdown: Shutdown,
): Promise<string | undefined> {
  if (adminPort === undefined) return undefined;
  collectProcessMetrics();
  const server = createServer((request, response) => {
    void answer(request.url ?? '', readiness)
      .catch(refusal)
      .then(({ status, headers, body }) => {
        response.writeHead(status, { ...headers, 'cache-control': FOR_ITS_CALLER_ALONE }).end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(adminPort, host, resolve);
  });
  shutdown.add('admin server', () => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return `http://${host}:${port}`;
}

/** @throws ApiError for another path, and while the program is not ready. */
async function answer(url: string, readiness: Readiness): Promise<Answer> {
  const [path = ''] = url.split('?', 1);
  switch (path) {
    case '/healthz':
      return json(200, { status: 'ok' });
    case '/readyz':
      return json(200, await readiness.require());
    case '/metrics':
      return {
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.metrics(),
      };
    default:
      throw noPath(path);
  }
}

function refusal(thrown: unknown): Answer {
  const error =
    thrown instanceof ApiError
      ? thrown
      : new ApiError('INTERNAL', { reason: 'INTERNAL', message: 'Something went wrong here.' });
  const { retryAfterMs } = error;
  return json(error.http, errorBody(error, randomUUID()), {
    ...(retryAfterMs !== undefined && { 'retry-after': String(retryAfterSeconds(retryAfterMs)) }),
  });
}

function json(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}
