import { describe, expect, it } from 'vitest';
import { fastify } from 'fastify';
import { createLogger, type LogLevel } from '#platform';
import { createRequestLog, SLOW_MS } from './request-log.js';
import { watchRequests } from './request-watch.js';

/** A logger whose lines are kept. */
function keepLines(level: LogLevel) {
  const lines: string[] = [];
  const log = createLogger('spec', {
    level,
    destination: { write: (line: string) => void lines.push(line) },
  });
  return { log, lines };
}

/** The log lines of a server with two routes for requests of these addresses. */
async function readLog(level: LogLevel, ...addresses: string[]): Promise<string[]> {
  const { log, lines } = keepLines(level);
  const server = fastify({ genReqId: () => 'req-1' });
  server.addHook('onRequest', async (request) => {
    request.caller = {
      ...{ kind: 'player', appId: 'app_1' },
      ...{ player: '5f2a9c04', externalAccountId: 'account-7' },
    };
  });
  watchRequests(server, log);
  server.get('/plans/:id', async () => 'fine');
  server.get('/broken/:id', async (_request, reply) => reply.status(503).send('no'));
  for (const url of addresses) {
    await server.inject({ url, headers: { authorization: 'Bearer secret-token' } });
  }
  await server.close();
  return lines;
}

describe('the log of requests', () => {
  it('has at info what failed, by its route, with its id, and nothing that is secret or a person', async () => {
    const lines = await readLog('info', '/plans/p1?q=query-1', '/broken/b1?q=query-1', '/other');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 30,
      msg: 'request answered',
      requestId: 'req-1',
      method: 'GET',
      route: '/broken/:id',
      status: 503,
      durationMs: expect.any(Number),
      caller: 'player',
      appId: 'app_1',
    });
    for (const secret of ['secret-token', 'query-1', 'b1', 'account-7', '5f2a9c04']) {
      expect(lines[0]).not.toContain(secret);
    }
  });

  it('has all others at debug', async () => {
    const lines = await readLog('debug', '/plans/p1', '/other');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 20, route: '/plans/:id', status: 200 },
      { level: 20, route: 'unknown', status: 404 },
    ]);
  });

  it('has at info what was slow', () => {
    const { log, lines } = keepLines('info');
    const logRequest = createRequestLog(log);
    const request = {
      id: 'req-2',
      method: 'POST',
      caller: { kind: 'app', appId: 'app_1' },
    } as const;
    logRequest(request, { statusCode: 200 }, '/sdk/plans', SLOW_MS - 1);
    expect(lines).toEqual([]);
    logRequest(request, { statusCode: 200 }, '/sdk/plans', SLOW_MS);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ durationMs: SLOW_MS, caller: 'app' });
  });
});
