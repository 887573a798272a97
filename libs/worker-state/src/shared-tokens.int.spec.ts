import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep } from '#platform';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { SharedTokens } from './index.js';
import { endpointKeys } from './keys.js';
import { TOKEN_AWAY_MS } from './limits.js';

const ENDPOINT = 'whe_01jz8m0000000000000000003f';

describe('the tokens of an endpoint', () => {
  let server: RunningRedis;
  let clients: Redis[];
  beforeAll(async () => {
    server = await startRedis();
    clients = [0, 1].map(() => openRedis(server.url, { maxRetriesPerRequest: null }));
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.stop();
  });

  /** Two processes that share them, and a way to let time pass for taken tokens. */
  function share() {
    const layoutId = randomUUID();
    const processes = clients.map((client) => new SharedTokens(client, { layoutId }));
    const { tokens } = endpointKeys(layoutId, ENDPOINT);
    const [redis] = clients;
    const pass = async (ms: number) => {
      const taken = (await redis?.lrange(tokens, 0, '-1')) ?? [];
      await redis?.del(tokens);
      const earlier = taken.map((at) => Number(at) - ms).filter((at) => at > Date.now() - 60_000);
      if (earlier.length > 0) await redis?.rpush(tokens, ...earlier);
    };
    return { processes, pass, tokens, redis };
  }

  it('are so many in each second, whichever processes ask, and whenever', async () => {
    const steps = fc.array(
      fc.record({ asks: fc.integer({ min: 1, max: 6 }), thenMs: fc.integer({ min: 0, max: 700 }) }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), steps, async (perSecond, all) => {
        const { processes, pass } = share();
        const taken: { readonly askedAtMs: number; readonly answeredAtMs: number }[] = [];
        let passedMs = 0;
        // Real time passes beside the time that is moved.
        const now = () => passedMs + performance.now();
        for (const { asks, thenMs } of all) {
          await Promise.all(
            Array.from({ length: asks }, async (_, n) => {
              const askedAtMs = now();
              const waitMs = await processes[n % 2]?.take(ENDPOINT, perSecond);
              if (waitMs === 0) taken.push({ askedAtMs, answeredAtMs: now() });
            }),
          );
          await pass(thenMs);
          passedMs += thenMs;
        }
        for (const { askedAtMs: atMs } of taken) {
          const within = taken.filter(
            ({ askedAtMs, answeredAtMs }) => askedAtMs >= atMs && answeredAtMs < atMs + 1_000,
          );
          expect(within.length).toBeLessThanOrEqual(perSecond);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('come back a second after they were taken, and leave nothing after that', async () => {
    const { processes, pass, tokens, redis } = share();
    const [one, other] = processes;
    expect([await one?.take(ENDPOINT, 1), await other?.take(ENDPOINT, 1)]).toEqual([
      ...[0, expect.any(Number)],
    ]);
    const waitMs = (await one?.take(ENDPOINT, 1)) ?? 0;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(TOKEN_AWAY_MS);
    expect(await redis?.pttl(tokens)).toBeGreaterThan(0);
    await pass(TOKEN_AWAY_MS);
    expect(await other?.take(ENDPOINT, 1)).toBe(0);
  });

  it('are away for a whole second, wherever in a millisecond they were taken', async () => {
    const { processes } = share();
    const [one] = processes;
    const untilBack: Promise<number>[] = [];
    const measure = async (endpoint: string, askedAtMs: number) => {
      await sleep(TOKEN_AWAY_MS - 20);
      while ((await one?.take(endpoint, 1)) !== 0);
      return performance.now() - askedAtMs;
    };
    // One after the other: they are taken in different parts of a millisecond.
    for (let n = 0; n < 16; n += 1) {
      const endpoint = `${ENDPOINT.slice(0, -1)}${n.toString(16)}`;
      const askedAtMs = performance.now();
      expect(await one?.take(endpoint, 1)).toBe(0);
      untilBack.push(measure(endpoint, askedAtMs));
    }
    expect(Math.min(...(await Promise.all(untilBack)))).toBeGreaterThanOrEqual(TOKEN_AWAY_MS);
  });

  it('are fewer at once where fewer are allowed from now on', async () => {
    const { processes } = share();
    const [one, other] = processes;
    for (let n = 0; n < 4; n += 1) expect(await one?.take(ENDPOINT, 4)).toBe(0);
    expect(await other?.take(ENDPOINT, 2)).toBeGreaterThan(0);
    expect(await other?.take(ENDPOINT, 5)).toBe(0);
  });
});
