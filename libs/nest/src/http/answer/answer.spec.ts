import { describe, expect, it } from 'vitest';
import type { FastifyReply } from 'fastify';
import { answer, answerWithoutBody, notesBeside, writeAnswer } from './answer.js';

const RESULT = { revision: 7, position: '00000000000000000042', replayed: false };

/** The body and the headers for a handler's result. */
function send(returned: unknown) {
  const headers: Record<string, string> = {};
  const reply = {
    header: (name: string, value: string) => (headers[name] = value),
    headers: (more: Record<string, string>) => Object.assign(headers, more),
  };
  const notes = notesBeside(returned);
  if (notes === undefined) return { body: returned, headers };
  // Of a reply, no more than this is called.
  return { body: writeAnswer(returned, notes, reply as unknown as FastifyReply), headers };
}

describe('an answer', () => {
  it('carries revision and position in headers, and its body as it is', () => {
    const { body, headers } = send(answer({ id: 'x' }, RESULT));
    expect(body).toEqual({ id: 'x' });
    expect(headers).toEqual({ etag: '"7"', 'x-consistency-token': 'c1.00000000000000000042' });
  });

  it('names the bucket of what was written, so that reads know where to wait', () => {
    const { headers } = send(answer({}, { ...RESULT, bucket: '3f' }));
    expect(headers['x-consistency-token']).toBe('c1.3f.00000000000000000042');
  });

  it('says that it is a repetition', () => {
    const { headers } = send(answer({}, { ...RESULT, replayed: true }));
    expect(headers['idempotency-replayed']).toBe('true');
  });

  it('of an empty stream has no token', () => {
    expect(send(answer({}, { revision: -1, position: null })).headers).toEqual({ etag: '"-1"' });
  });

  it('carries the headers of its kind', () => {
    const { headers } = send(
      answer(Buffer.from('{}'), { headers: { 'x-price-sheet-version': '3' } }),
    );
    expect(headers).toEqual({ 'x-price-sheet-version': '3' });
  });

  it('may have headers alone', () => {
    // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- no body, but headers
    const { body, headers } = send(answerWithoutBody(RESULT));
    expect(body).toBeUndefined();
    expect(headers['etag']).toBe('"7"');
  });

  it('is only a body where nothing is noted beside it', () => {
    expect(send({ id: 'x' })).toEqual({ body: { id: 'x' }, headers: {} });
  });
});
