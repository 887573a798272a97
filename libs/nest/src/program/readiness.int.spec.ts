import { describe, expect, it } from 'vitest';
import { createLogger, createShutdown } from '#platform';
import { ApiError } from '../http/answer/api-error.js';
import { startAdminServer } from './admin-server.js';
import { Readiness, WaitsForOperator } from './readiness.js';

const LIMIT_MS = 50;

/** The metadata of the refusal, or undefined when the program is ready. */
async function refusedWith(readiness: Readiness) {
  try {
    await readiness.require();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { http: error.http, reason: error.reason, ...error.metadata };
  }
}

describe('readiness', () => {
  it('is asked of every part when the question comes, not remembered', async () => {
    let isStoreUp = true;
    const eventStore = () => (isStoreUp ? Promise.resolve() : Promise.reject(new Error('away')));
    const readiness = new Readiness({ eventStore, redis: () => Promise.resolve() });
    expect(await readiness.require()).toMatchObject({
      status: 'ok',
      details: { eventStore: { status: 'up' }, redis: { status: 'up' } },
    });
    isStoreUp = false;
    const refused = { http: 503, reason: 'NOT_READY', eventStore: 'down', redis: 'up' };
    expect(await refusedWith(readiness)).toEqual(refused);
    isStoreUp = true;
    expect(await refusedWith(readiness)).toBeUndefined();
  });

  it('is refused within a bound where a part does not answer', async () => {
    const redis = () => new Promise(() => undefined);
    const readiness = new Readiness({ redis }, LIMIT_MS);
    expect(await refusedWith(readiness)).toEqual({ http: 503, reason: 'NOT_READY', redis: 'down' });
  });

  it('is refused with the sentence of a part that waits for an operator, and with no other error', async () => {
    const projections = () => Promise.reject(new WaitsForOperator('Type this command.'));
    const redis = () => Promise.reject(new Error('a secret address'));
    const refused = new Readiness({ projections, redis }).require();
    await expect(refused).rejects.toMatchObject({
      message: 'The service is not ready. Type this command.',
      metadata: { projections: 'down', redis: 'down' },
    });
  });

  it('is asked once for all questions that come meanwhile', async () => {
    let pings = 0;
    const readiness = new Readiness({ redis: async () => (pings += 1) });
    await Promise.all([readiness.require(), readiness.require(), readiness.require()]);
    expect(pings).toBe(1);
    await readiness.require();
    expect(pings).toBe(2);
  });

  it('is answered on the port for operations, with health and metrics and nothing else', async () => {
    let isUp = true;
    const redis = () => (isUp ? Promise.resolve() : Promise.reject(new Error('away')));
    const log = createLogger('spec', { level: 'silent' });
    const shutdown = createShutdown({ log, exit: () => undefined });
    const config = { adminPort: 0, host: '127.0.0.1' };
    const url = await startAdminServer(config, new Readiness({ redis }), shutdown);
    const status = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect(await status('/readyz')).toBe(200);
    isUp = false;
    const refused = await fetch(`${url}/readyz`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 14 });
    expect(await status('/healthz')).toBe(200);
    expect(await status('/metrics')).toBe(200);
    expect(await status('/manage/apps')).toBe(404);
    await shutdown.stop('the spec is over');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
