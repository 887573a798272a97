import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSignedQuestion, printTask, type ReportQuestion } from '#finance';
import { Bookkeeper } from './bookkeeper.js';

const KEY = Buffer.alloc(32, 7);
const question: ReportQuestion = {
  ...{
    report: 'tax',
    period: '2026-01',
    effectiveUntil: '2026-01-31',
    asOf: 'last',
    format: 'csv',
  },
};
const NEVER = new AbortController().signal;

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: ReturnType<typeof createServer>;
let url: string;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (asked = question, { signal = NEVER, at = url } = {}) =>
  new Bookkeeper(at, () => [KEY]).ask({ kind: 'report', app: 'app_1', question: asked }, signal);

const answering = (status: number, body: object = {}) => {
  answer = (_, response) => response.writeHead(status).end(JSON.stringify(body));
};

/** The API's side of a report (rules/finance 12). */
describe('a question to a bookkeeper', () => {
  it('is signed, and gives the bytes of the report', async () => {
    let asked = '';
    answer = ({ url: path = '', headers: { authorization: signature = '' } }, response) => {
      asked = path;
      const isSigned = isSignedQuestion([KEY], path, { signature, nowMs: Date.now() });
      response.writeHead(isSigned ? 200 : 401).end('the report');
    };
    expect(await text(await ask())).toBe('the report');
    expect(asked).toBe(printTask({ kind: 'report', app: 'app_1', question }));
  });

  it('is 503 with the reason where none is named, none answers, or it has another key', async () => {
    const gone = { status: 'UNAVAILABLE', reason: 'NO_BOOKKEEPER' };
    await expect(
      new Bookkeeper(undefined, () => [KEY]).count('a', '2026-01', NEVER),
    ).rejects.toMatchObject({
      ...{ ...gone, message: expect.stringContaining('set BOOKKEEPER_URL') },
    });
    await expect(ask(question, { at: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      ...{ ...gone, message: expect.stringContaining('ECONNREFUSED') },
    });
    answering(401);
    await expect(ask()).rejects.toMatchObject({
      ...{ ...gone, message: expect.stringContaining('MASTER_KEY') },
    });
  });

  it('is refused by the sentence of the bookkeeper, and by its bound', async () => {
    answering(409, { reason: 'PERIOD_NOT_BEGUN', message: 'It has not begun.' });
    await expect(ask()).rejects.toMatchObject({
      ...{
        status: 'FAILED_PRECONDITION',
        reason: 'PERIOD_NOT_BEGUN',
        message: 'It has not begun.',
      },
    });
    answering(429);
    await expect(ask()).rejects.toMatchObject({ reason: 'TOO_MANY_REPORTS', http: 429 });
    answering(503);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    answering(409, { reason: 'OF_ANOTHER_RELEASE' });
    await expect(ask()).rejects.toThrow('answered 409');
  });

  it('hangs up when its client does, and breaks off where the bookkeeper does', async () => {
    const client = new AbortController();
    const hungUp = new Promise((resolve) => {
      answer = (_, response) => {
        response
          .once('close', () => resolve('hung up'))
          .writeHead(200)
          .write('the rep');
      };
    });
    const bytes = await ask(question, { signal: client.signal });
    client.abort();
    expect(await hungUp).toBe('hung up');
    await expect(text(bytes)).rejects.toThrow('aborted');
    answer = (_, response) => {
      response.writeHead(200).write('the rep', () => response.destroy());
    };
    await expect(ask().then(text)).rejects.toThrow('aborted');
  });
});
