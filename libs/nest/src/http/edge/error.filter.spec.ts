import { describe, expect, it } from 'vitest';
import { BadRequestException } from '@nestjs/common';
import { fastify } from 'fastify';
import { createLogger, Defect, Fault, type FaultCode } from '#platform';
import { ApiError, STATUS, type StatusName } from '../answer/api-error.js';
import { answerError } from './error.filter.js';

const SECRET = 'stream subscription-sub_1 at 10.0.0.7:2113';
const log = createLogger('test', { level: 'silent' });

/** The client's answer when this was thrown. */
async function answerTo(thrown: unknown) {
  const app = fastify();
  app.get('/', (request, reply) => answerError(thrown, request, reply, log));
  const answer = await app.inject('/');
  await app.close();
  const { statusCode: status, headers, body } = answer;
  return { status, headers, body, code: answer.json<{ code: number }>().code };
}

const fault = (code: FaultCode, retryAfterMs?: number) =>
  new Fault(code, SECRET, { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });

describe('what is thrown', () => {
  it.each([
    ['a fault that something is out of reach', fault('unavailable'), 503, 14],
    ['a conflict that did not end', fault('conflict'), 409, 10],
    ['data that cannot be read', fault('undecodable'), 500, 13],
    ['a refusal by the store', fault('refused'), 500, 13],
    ['a defect', new Defect(SECRET), 500, 13],
    ['an error of JavaScript', new TypeError(SECRET), 500, 13],
    ['an error of the system', Object.assign(new Error(SECRET), { code: 'EPIPE' }), 500, 13],
    ['no error at all', SECRET, 500, 13],
    ['nothing', undefined, 500, 13],
    ['a refusal of Nest', new BadRequestException(SECRET), 400, 3],
  ])('as %s is answered without its secrets', async (_, thrown, status, code) => {
    const answer = await answerTo(thrown);
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(answer.body).not.toContain('sub_1');
    expect(answer.body).not.toContain('10.0.0.7');
    expect(answer.body).not.toContain('at Object.');
    expect(answer.headers['cache-control']).toBe('no-store, no-transform');
    expect(answer.body.includes('google.rpc.RequestInfo')).toBe(status >= 500);
  });

  it('as a fault with a hint says when to try again, twice', async () => {
    const { headers, body } = await answerTo(fault('unavailable', 2500));
    expect(headers['retry-after']).toBe('3');
    expect(body).toContain('"retryDelay":"3s"');
  });

  it.each([
    [400, 3],
    [413, 8],
    [414, 3],
    [415, 3],
  ])('by Fastify with status %i has code %i', async (statusCode, code) => {
    const thrown = Object.assign(new Error(SECRET), { statusCode, code: 'FST_ERR_X' });
    const answer = await answerTo(thrown);
    expect([answer.status, answer.code]).toEqual([statusCode, code]);
    expect(answer.body).not.toContain('sub_1');
  });

  it.each(Object.entries(STATUS))('as %s has its code and status', async (name, { code, http }) => {
    // The keys of STATUS are its names.
    const error = new ApiError(name as StatusName, { reason: 'X', message: 'x' });
    const answer = await answerTo(error);
    expect([answer.status, answer.code]).toEqual([http, code]);
  });
});
