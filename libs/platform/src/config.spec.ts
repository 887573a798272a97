import { describe, expect, it } from 'vitest';
import { readConfig, variables } from './config.js';

const key = Buffer.alloc(32, 1).toString('base64');

describe('readConfig', () => {
  it('gives each declared variable as its type, with defaults', () => {
    const config = readConfig(
      { EVENTSTOREDB_URL: 'esdb://127.0.0.1:2113?tls=false', MASTER_KEY: key, PORT: '0', HOST: '' },
      {
        eventStoreUrl: variables.eventStoreUrl,
        masterKeys: variables.masterKeys,
        host: variables.host,
        port: variables.port,
        adminPort: variables.adminPort,
        logLevel: variables.logLevel,
        allowInsecureTargets: variables.allowInsecureTargets,
      },
    );
    const { masterKeys, ...others } = config;
    expect(masterKeys.list()).toEqual([Buffer.alloc(32, 1)]);
    expect(others).toEqual({
      eventStoreUrl: 'esdb://127.0.0.1:2113?tls=false',
      host: '127.0.0.1',
      port: 0,
      adminPort: undefined,
      logLevel: 'info',
      allowInsecureTargets: 'none',
    });
  });

  it('names a process anew with every start, unless it has a name', () => {
    const { instanceName } = variables;
    const read = (env: NodeJS.ProcessEnv) => readConfig(env, { instanceName }).instanceName;
    expect(read({})).toMatch(/^[0-9a-f-]{36}$/);
    expect(read({})).not.toBe(read({}));
    expect(read({ INSTANCE_NAME: 'worker-0.eu' })).toBe('worker-0.eu');
  });

  it('takes hours with decimals, above none and up to a year', () => {
    const { formerKeptMs } = variables;
    const read = (text: string) =>
      readConfig({ FORMER_READ_MODEL_HOURS: text }, { formerKeptMs }).formerKeptMs;
    expect(read('')).toBe(86_400_000);
    expect(read('0.5')).toBe(1_800_000);
    expect(read('0.001')).toBe(3_600);
    expect(read('8760')).toBe(365 * 86_400_000);
    for (const bad of ['0', '-1', '0.0001', '8761', '1e3', 'a day']) {
      expect(() => read(bad), bad).toThrow('must be a number of hours above 0');
    }
  });

  it('names every bad variable at once, and no secret', () => {
    const env = {
      REDIS_URL: 'http://redis',
      MASTER_KEY: 'c2hvcnQ=',
      PORT: '70000',
      BASE_URL: 'pay.example.com',
      STOREFRONT_PORT: '-1',
      STOREFRONT_URL: 'ftp://pay.example.com',
      LOG_LEVEL: 'loud',
      INSTANCE_NAME: 'worker 1',
      SANDBOX_IN_PRODUCTION_APPS: 'yes',
      TRUSTED_PROXIES: 'true',
      COUNTRY_HEADER: 'x country',
    };
    const read = () => readConfig(env, variables);
    expect(read).toThrow(/EVENTSTOREDB_URL is missing/);
    expect(read).toThrow(/REDIS_URL must begin with redis:\/\/ or rediss:\/\/ or unix:/);
    expect(read).toThrow(/MASTER_KEY must be 32 bytes/);
    expect(read).toThrow(/PORT must be a port/);
    expect(read).toThrow(/BASE_URL must be an http/);
    expect(read).toThrow(/STOREFRONT_PORT must be a port/);
    expect(read).toThrow(/STOREFRONT_URL must be an http/);
    expect(read).toThrow(/INSTANCE_NAME must be up to 63/);
    expect(read).toThrow(/LOG_LEVEL must be one of trace/);
    expect(read).toThrow(/SANDBOX_IN_PRODUCTION_APPS must be one of trial, none/);
    expect(read).toThrow(/TRUSTED_PROXIES must hold addresses and ranges/);
    expect(read).toThrow(/COUNTRY_HEADER must be the name of a header/);
    expect(read).not.toThrow(/c2hvcnQ/);
  });

  it.each(['https://pay.example/?a=1', 'https://pay.example/shop#top', 'https://pay.example?'])(
    'refuses an address that links cannot begin with: %s',
    (address) => {
      const { baseUrl, storefrontUrl } = variables;
      const env = { BASE_URL: address, STOREFRONT_URL: address };
      const read = () => readConfig(env, { baseUrl, storefrontUrl });
      expect(read).toThrow(/BASE_URL must be an http or https address without query and fragment/);
      expect(read).toThrow(/STOREFRONT_URL must be an http or https address without query/);
    },
  );

  it('takes the name of a header as Node.js gives it, where a proxy is trusted', () => {
    const { countryHeader } = variables;
    const read = (env: NodeJS.ProcessEnv) => readConfig(env, { countryHeader }).countryHeader;
    expect(read({})).toBeUndefined();
    const proxies = { TRUSTED_PROXIES: '10.0.0.7' };
    expect(read({ ...proxies, COUNTRY_HEADER: 'CF-IPCountry' })).toBe('cf-ipcountry');
    expect(() => read({ COUNTRY_HEADER: 'cf-ipcountry' })).toThrow('no TRUSTED_PROXIES');
  });

  it('ignores what an app does not declare', () => {
    expect(readConfig({ PORT: 'bad' }, { host: variables.host })).toEqual({ host: '127.0.0.1' });
  });

  it('takes an address without its last slash', () => {
    const { baseUrl } = variables;
    expect(readConfig({ BASE_URL: 'https://pay.example.com/' }, { baseUrl })).toEqual({
      baseUrl: 'https://pay.example.com',
    });
  });
});
