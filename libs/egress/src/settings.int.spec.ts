import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#platform';
import { createAuthority } from '../../../test/support/certificates.js';
import { egressVariables } from './settings.js';

const read = (env: NodeJS.ProcessEnv) => readConfig(env, egressVariables);

describe('how webhooks leave, by the settings', () => {
  let folder: string;
  let certificate: string;
  const file = (name: string) => path.join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'subledger-authorities-'));
    const authority = await createAuthority();
    ({ certificate } = authority);
    const { cert } = await authority.issue(['localhost']);
    await writeFile(file('two.pem'), `a comment\n${certificate}\n${certificate}`);
    await writeFile(file('server.pem'), cert);
    await writeFile(file('none.pem'), 'nothing');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is by default to authorities known to all, without a proxy', () => {
    const { authorities, proxy } = read({});
    expect([authorities, proxy]).toEqual([[], undefined]);
  });

  it('takes several authorities of a file, and a proxy with a password', () => {
    const proxy = 'http://user:p%40ss@proxy.example:3128';
    const config = read({ WEBHOOK_CA_FILE: file('two.pem'), WEBHOOK_PROXY: proxy });
    expect(config.authorities).toEqual([certificate, certificate]);
    expect(config.proxy?.host).toBe('proxy.example:3128');
  });

  it.each([
    ['missing.pem', 'cannot be read: ENOENT'],
    ['none.pem', 'holds no certificate in PEM'],
    ['server.pem', 'holds a certificate of no authority'],
  ])('says what is wrong with %s', (name, complaint) => {
    expect(() => read({ WEBHOOK_CA_FILE: file(name) })).toThrow(
      `WEBHOOK_CA_FILE names ${file(name)}, which ${complaint}`,
    );
  });

  it.each(['https://u:secret@p:1', 'http://u:secret@p:1/path', 'p:3128', 'secret'])(
    'refuses the proxy %s, and does not show its password',
    (text) => {
      const reading = () => read({ WEBHOOK_PROXY: text });
      expect(reading).toThrow('WEBHOOK_PROXY must be http://host:port');
      expect(reading).not.toThrow('secret');
    },
  );
});
