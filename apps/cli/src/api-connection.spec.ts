import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findConnection } from './api-connection.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'subledger-cli-'));
const demo = { baseUrl: 'http://127.0.0.1:1', operatorToken: 'demo-token', appId: 'app_demo' };
const of = (
  options: Parameters<typeof findConnection>[0],
  env: Readonly<Record<string, string>> = {},
) => findConnection(options, { DATA_DIR: dataDir, ...env });

beforeAll(() => writeFileSync(path.join(dataDir, 'demo.json'), JSON.stringify(demo)));
afterAll(() => rmSync(dataDir, { recursive: true }));

describe('how the API is reached', () => {
  const known = { baseUrl: demo.baseUrl, token: 'demo-token', appId: 'app_demo' };

  it('is the demo of this machine unless it is said otherwise', () => {
    expect(of({})).toEqual(known);
    expect(of({ app: 'app_2' })).toEqual({ ...known, appId: 'app_2' });
    expect(of({ demo: true }, { SUBLEDGER_URL: 'http://elsewhere' })).toEqual(known);
  });

  it('is said by options before variables', () => {
    const env = { SUBLEDGER_URL: 'http://b', SUBLEDGER_TOKEN: 'b', SUBLEDGER_APP: 'app_b' };
    expect(of({}, env)).toEqual({ baseUrl: 'http://b', token: 'b', appId: 'app_b' });
    expect(of({ url: 'http://a', token: 'a' }, env)).toMatchObject({
      baseUrl: 'http://a',
      token: 'a',
    });
  });

  it('never sends the token of the demo elsewhere', () => {
    expect(() => of({ url: 'http://elsewhere', app: 'app_1' })).toThrow('--token');
  });

  it('needs no app where all of them are asked about', () => {
    const elsewhere = { url: 'http://elsewhere', token: 'a' };
    expect(() => of(elsewhere)).toThrow('--app or SUBLEDGER_APP');
    expect(of({ ...elsewhere, allApps: true })).toMatchObject({ token: 'a', appId: '' });
  });

  it('names what is missing', () => {
    const nowhere = { DATA_DIR: path.join(dataDir, 'empty') };
    expect(() => findConnection({}, nowhere)).toThrow('--url or SUBLEDGER_URL');
    expect(() => findConnection({ demo: true }, nowhere)).toThrow('demo.json is not there');
  });
});
