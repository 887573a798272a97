import { describe, expect, it } from 'vitest';
import { parseRedisAddress } from './redis-address.js';

describe('the address of Redis', () => {
  it.each([
    'redis://127.0.0.1:6379',
    'redis://:pass,word@redis/1',
    'rediss://user:p@redis?family=6',
    'redis://redis/1?connectionName=a,b',
    'unix:/run/redis,1.sock',
    'unix:///run/redis.sock',
  ])('is one server as the client reads it: %s', (url) => {
    expect(parseRedisAddress(url)).toEqual({ kind: 'single', url });
  });

  it('is a cluster with several nodes, whose user and password stand once', () => {
    expect(parseRedisAddress('rediss://app:p%40ss,1@a.example:7000,b,[::1]:7002/0')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'a.example', port: 7000 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      username: 'app',
      password: 'p@ss,1',
      isSecure: true,
    });
  });

  it('needs no credentials, and takes a password without a user', () => {
    const open = parseRedisAddress('redis://a,b');
    expect(open).toMatchObject({ username: undefined, password: undefined, isSecure: false });
    const protectedOne = parseRedisAddress('redis://:secret@a,b');
    expect(protectedOne).toMatchObject({ username: undefined, password: 'secret' });
  });

  it.each([
    ['http://a,b', /must begin with redis:\/\/ or rediss:\/\/ or unix:/],
    ['redis://a:1,', /names "" as a node/],
    ['redis://a:1,redis://b:2', /has a scheme at its beginning alone: redis:\/\/user/],
    ['redis://a:1,b:x', /names "b:x" as a node/],
    ['redis://a:1,b:70000', /names "b:70000" as a node: a port is 1 to 65535/],
    ['redis://a:1,b:0', /a port is 1 to 65535/],
    ['redis://a:1,b:2/3', /ends with "\/3": a cluster has database 0 alone/],
    ['redis://a:1,b:2?family=6', /ends with "\?family=6"/],
    ['redis://u:50%@a,b', /has a user or password with a "%"/],
  ])('is refused with what is wrong: %s', (text, complaint) => {
    expect(() => parseRedisAddress(text)).toThrow(complaint);
  });

  it('shows no password when it is refused', () => {
    const read = () => parseRedisAddress('redis://app:hush,hush@a:1,b:x');
    expect(read).toThrow(/"b:x"/);
    expect(read).not.toThrow(/hush/);
  });
});
