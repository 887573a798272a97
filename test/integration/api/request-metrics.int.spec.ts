import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { register } from 'prom-client';
import { createUnconnectedApi } from './unconnected-api.js';

const TIMES = 1_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'];
/** A method and a route have a line for each of 14 buckets, a sum, a count, and one for each status. */
const LINES_EACH = 17;

describe('the metrics of requests', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    register.resetMetrics();
    ({ app } = await createUnconnectedApi());
  });

  afterAll(async () => app.close());

  const read = async () => (await app.inject('/metrics')).body;
  const readSeries = async () =>
    (await read()).split('\n').filter((line) => line.startsWith('subledger_http_'));

  async function send(method: string, url: string): Promise<number> {
    // Of Node's methods, inject knows the names of a few.
    return (await app.inject({ method: method as 'GET', url })).statusCode;
  }

  it('count them by method, route and status, and how long they took', async () => {
    expect(await send('GET', '/healthz')).toBe(200);
    expect(await send('GET', '/sdk/subscriptions/sub_1?x=1')).toBe(401);
    const series = await readSeries();
    expect(series).toContain(
      'subledger_http_requests_total{method="GET",route="/healthz",status="200"} 1',
    );
    const labels = 'method="GET",route="/sdk/subscriptions/:id"';
    expect(series).toContain(`subledger_http_requests_total{${labels},status="401"} 1`);
    const name = 'subledger_http_request_duration_seconds';
    expect(series).toContain(`${name}_bucket{le="+Inf",${labels}} 1`);
    expect(series).toContain(`${name}_count{${labels}} 1`);
    const sum = series.find((line) => line.startsWith(`${name}_sum{${labels}} `));
    const seconds = Number(sum?.split(' ').at(-1));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
    const bounds = series.filter(
      (line) => line.startsWith(`${name}_bucket`) && line.includes(labels),
    );
    expect(bounds).toHaveLength(14);
    const sums = bounds.map((line) => Number(line.split(' ').at(-1)));
    expect(sums).toEqual([...sums].sort((one, other) => one - other));
  });

  it('stay as few as the routes are, whatever clients ask for', async () => {
    const before = await readSeries();
    for (let time = 0; time < TIMES; time += 1) {
      const method = METHODS[time % METHODS.length] ?? 'GET';
      expect(await send(method, `/no/${time}/path`)).toBe(404);
      expect(await send('GET', `/sdk/subscriptions/sub_${time}`)).toBe(401);
    }
    const after = await readSeries();
    // Two methods here are none of ours, and share a label.
    expect(after.length - before.length).toBeLessThanOrEqual((METHODS.length - 1) * LINES_EACH);
    expect(after.join('\n')).toContain('{method="other",route="unknown",status="404"}');
    expect(after.join('\n')).not.toMatch(/sub_\d|\/no\//);
  });

  it('are beside those of the process', async () => {
    expect(await read()).toMatch(/^process_cpu_seconds_total \d/m);
  });
});
