import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from './create-client.js';

const shown: unknown[] = [];
beforeEach(() => {
  for (const method of ['warn', 'error', 'log'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void shown.push(words));
  }
});
afterEach(() => void vi.restoreAllMocks());

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
  ['a colon in the password', 'esdb://admin:hun:ter2@127.0.0.1:2113', /":", .*write %3A/],
  ['an @ in the password', 'esdb://admin:hunter2@hunter2@127.0.0.1:2113', /"@", .*write %40/],
  ['an @ in the user', 'esdb://ad@min:hunter2@127.0.0.1:2113', /"@", .*write %40/],
  ['a slash in the password', 'esdb://admin:hunter2/hunter2@127.0.0.1:2113', /write %2F/],
  ['a % that encodes nothing', 'esdb://admin:hunter2%zz@127.0.0.1:2113', /write %25/],
  ['a user without a password', 'esdb://hunter2@127.0.0.1:2113', /no password/],
  ['a duration with a unit', 'esdb://admin:hunter2@127.0.0.1?defaultDeadline=5s', /milliseconds/],
  ['seconds with a unit', 'esdb://admin:hunter2@127.0.0.1?gossip_timeout=5s', /of seconds/],
  [
    'a slash before the options',
    'esdb://admin:hunter2@127.0.0.1/?tls=false',
    /right behind the host/,
  ],
  ['a path', 'esdb://admin:hunter2@127.0.0.1:2113/ledger', /a path/],
  ['a port with letters', 'esdb://admin:hunter2@a:2113,b:21x13?tls=false', /host number 2/],
  ['an option that comes twice', 'esdb://admin:hunter2@127.0.0.1?tls=true&TLS=false', /tls twice/],
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

it.each([
  'esdb://127.0.0.1:2113?tls=false',
  'esdb://127.0.0.1/',
  'esdb://admin:hunter%3A%402@127.0.0.1:2113?tls=false&defaultDeadline=5000',
  'esdb://admin:hunter2@a:1,b:2,c?tls=true&nodePreference=leader',
  'esdb+discover://admin:hunter2@nodes.example:2113?connectionName=a%3Ab%40c',
])('takes what it reads as it stands: %s', (connectionString) => {
  expect(() => createClient(connectionString)).not.toThrow();
});
