import { describe, expect, it } from 'vitest';
import { Defect, Fault } from '#platform';
import { noteConnectionProblem, redisReply } from './reply.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
const failure = (error: Error) =>
  redisReply(Promise.reject(error)).catch((caught: unknown) => caught);

describe('a reply of Redis', () => {
  it.each([
    'MOVED 3999 127.0.0.1:6381',
    'ASK 3999 127.0.0.1:6381',
    'CLUSTERDOWN The cluster is down',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    "READONLY You can't write against a read only replica.",
    'LOADING Redis is loading the dataset in memory',
    'NOAUTH Authentication required.',
  ])('that will be another one soon may be tried again: %s', async (message) => {
    const fault = await failure(reply(message));
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'unavailable', retryable: true });
  });

  it.each(["CROSSSLOT Keys in request don't hash to the same slot", 'ERR unknown command'])(
    'that refuses the command is a mistake of ours: %s',
    async (message) => {
      expect(await failure(reply(message))).toBeInstanceOf(Defect);
    },
  );

  it('of a cluster none of whose nodes answers says why the last one did not', async () => {
    const last = new Error('connect ECONNREFUSED 127.0.0.1:7000');
    noteConnectionProblem(Object.assign(new Error('Failed to refresh'), { lastNodeError: last }));
    const fault = await failure(new Error('None of startup nodes is available'));
    expect((fault as Fault).message).toMatch(/REDIS_URL cannot be reached: connect ECONNREFUSED/);
  });
});
