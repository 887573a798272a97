import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { fastify } from 'fastify';
import { createLogger, metrics } from '#platform';
import { watchRequests } from '../../../libs/nest/src/http/edge/request-watch.js';
import { eventually } from '../../support/eventually.js';

/** rules/running 10. Of a POST, the body has come whole when the client goes. */
it.each([
  ['GET', ''],
  ['POST', '{}'],
])(
  'a client that goes away before the answer to its %s is counted once, and has no duration',
  async (method, body) => {
    const labels = `method="${method}",route="/slow/:id"`;
    const server = fastify();
    watchRequests(server, createLogger('spec', { level: 'silent' }));
    const reached = new Promise<void>((resolve) => {
      const handler = () => new Promise<never>(() => resolve());
      server.route({ method: ['GET', 'POST'], url: '/slow/:id', handler });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    // A server that listens on TCP has an address with a port.
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    const headers = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`${method} /slow/1 HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    await reached;
    socket.destroy();
    const readLines = async () => (await metrics.metrics()).split('\n');
    const counted = `subledger_http_requests_total{${labels},status="499"} 1`;
    await eventually(async () => (await readLines()).includes(counted), { what: 'the count' });
    const durations = `subledger_http_request_duration_seconds_count{${labels}}`;
    const ofAnswers = (await readLines()).filter((line) => line.startsWith(durations));
    expect(ofAnswers).toEqual([]);
    await server.close();
  },
);
