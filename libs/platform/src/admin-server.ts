import { createServer } from 'node:http';
import { metrics } from './metrics.js';

interface AdminOptions {
  /** ADMIN_PORT; nothing listens without one (rules/api 10). */
  readonly port: number | undefined;
  readonly host: string;
  /** Whether the program does its work now: what `/readyz` answers. */
  readonly isReady: () => boolean;
}

interface AdminAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Health, readiness and metrics of a program that has no HTTP edge of its own.
 *
 * @returns what stops it. @throws when the port is taken.
 */
export async function startAdminServer({ port, host, isReady }: AdminOptions): Promise<() => void> {
  if (port === undefined) return () => undefined;
  const server = createServer((request, response) => {
    answer(request.url, isReady).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return () => {
    server.closeAllConnections();
    server.close();
  };
}

async function answer(path: string | undefined, isReady: () => boolean): Promise<AdminAnswer> {
  switch (path) {
    case '/healthz':
      return json(200, 'ok');
    case '/readyz':
      return isReady() ? json(200, 'ok') : json(503, 'error');
    case '/metrics':
      return { status: 200, type: metrics.contentType, body: await metrics.metrics() };
    default:
      return json(404, 'error');
  }
}

function json(status: number, word: 'ok' | 'error'): AdminAnswer {
  return { status, type: 'application/json', body: JSON.stringify({ status: word }) };
}
