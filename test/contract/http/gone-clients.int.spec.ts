import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { createLogger, metrics } from '#platform';
import { watchRequests } from '../../../libs/nest/src/http/request-watch.js';
import { eventually } from '../../support/eventually.js';

const LABELS = 'method="GET",route="/slow/:id"';

/** rules/running 10. */
it('a client that goes away before its answer is counted once, and has no duration', async () => {
  const server = fastify();
  watchRequests(server, createLogger('spec', { level: 'silent' }));
  server.get('/slow/:id', () => new Promise(() => undefined));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const isAsked = once(server.server, 'request');
  // A server that listens on TCP has an address with a port.
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /slow/1 HTTP/1.1\r\nhost: x\r\n\r\n');
  await isAsked;
  socket.destroy();
  const readLines = async () => (await metrics.metrics()).split('\n');
  const counted = `subledger_http_requests_total{${LABELS},status="499"} 1`;
  await eventually(async () => (await readLines()).includes(counted), { what: 'the count' });
  const durations = `subledger_http_request_duration_seconds_count{${LABELS}} 0`;
  expect(await readLines()).toContain(durations);
  await server.close();
});
