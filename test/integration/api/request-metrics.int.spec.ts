import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify } from 'fastify';
import { createLogger } from '#platform';
import { watchRequests } from '../../../libs/nest/src/http/request-watch.js';
import { eventually } from '../../support/eventually.js';
import { createUnconnectedApi } from './unconnected-api.js';

const TIMES = 1_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'];
/** A method and a route have a line for each of 14 buckets, a sum, a count, and one for each status. */
const LINES_EACH = 17;

describe('the metrics of requests', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
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
    expect(series).toContain(`${name}_bucket{${labels},le="+Inf"} 1`);
    expect(series).toContain(`${name}_count{${labels}} 1`);
    const sum = series.find((line) => line.startsWith(`${name}_sum{${labels}} `));
    const seconds = Number(sum?.split(' ').at(-1));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
    const bounds = series.filter((line) => line.startsWith(`${name}_bucket{${labels}`));
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

  it('count a client that goes away before its answer, once, and without a duration', async () => {
    const server = fastify();
    watchRequests(server, createLogger('spec', { level: 'silent' }));
    server.get('/slow/:id', () => new Promise(() => undefined));
    await server.listen({ port: 0, host: '127.0.0.1' });
    const isAsked = once(server.server, 'request');
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /slow/1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await isAsked;
    socket.destroy();
    const labels = 'method="GET",route="/slow/:id"';
    const counted = `subledger_http_requests_total{${labels},status="499"} 1`;
    await eventually(async () => (await readSeries()).includes(counted), { what: 'the count' });
    const name = 'subledger_http_request_duration_seconds';
    expect(await readSeries()).toContain(`${name}_count{${labels}} 0`);
    await server.close();
  });

  it('are beside those of the process, and without those of other programs', async () => {
    const text = await read();
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).not.toMatch(/subledger_(projector|worker)_/);
  });
});
