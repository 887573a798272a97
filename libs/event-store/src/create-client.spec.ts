import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createClient } from './create-client.js';

const shown: unknown[] = [];
beforeEach(() => {
  for (const method of ['warn', 'error', 'log'] as const) {
    jest.spyOn(console, method).mockImplementation((...words) => void shown.push(words));
  }
});
afterEach(() => void jest.restoreAllMocks());

it.each([
  'esdb://admin:hunter2@127.0.0.1:2113?tls=false',
  'esdb://admin:hunter2@127.0.0.1:2113?tls=true&keepAliveInterval=-1',
  'esdb://admin:hunter2@a:1,b:2?tls=false&node_preference=follower\n',
  'esdb+discover://admin:hunter,2@a:1?tls=false',
])('takes %j', (connectionString) => {
  expect(() => createClient(connectionString)).not.toThrow();
});

it.each([
  ['another protocol', 'http://admin:hunter2@127.0.0.1', /not of the form/],
  ['no host', 'esdb://admin:hunter2@', /not of the form/],
  ['a bad port', 'esdb://admin:hunter2@127.0.0.1:x', /not of the form/],
  ['a bad value', 'esdb://admin:hunter2@127.0.0.1?tls=hunter2', /not of the form/],
  ['an unknown option', 'esdb://admin:hunter2@127.0.0.1?tlss=true', /does not follow \(tlss\)/],
  ['tlsVerifyCert', 'esdb://admin:hunter2@127.0.0.1?tlsVerifyCert=false', /does not follow/],
  ['an option in the password', 'esdb://admin:hunter2?x=1@127.0.0.1?a=hunter2', /does not follow/],
  ['several names to discover', 'esdb+discover://admin:hunter2@a:1,b:2?tls=false', /one DNS name/],
  ['a missing file', 'esdb://admin:hunter2@127.0.0.1?tlsCAFile=/no/hunter2', /tlsCAFile/],
])('refuses %s, and does not show the password', (_, connectionString, why) => {
  let refusal: unknown;
  try {
    createClient(connectionString);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(Error);
  expect((refusal as Error).message).toMatch(why);
  const seen = inspect([refusal, shown], { depth: null, showHidden: true });
  expect(seen).not.toContain('hunter2');
});
