import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { pickAddresses } from './addresses.js';
import { readStandaloneConfig } from './command-line.js';

/** The variables of API and storefront, for these of the standalone. */
async function addresses(env: Readonly<Record<string, string>>) {
  return pickAddresses(readStandaloneConfig({ PORT: '0', STOREFRONT_PORT: '0', ...env }));
}

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
])('leads players of a storefront at %s to %s', async (host, reached) => {
  const { api, storefront, storefrontUrl } = await addresses({ HOST: host });
  expect(storefrontUrl).toBe(`http://${reached}:${storefront.STOREFRONT_PORT}`);
  expect(api).toMatchObject({ HOST: host, STOREFRONT_URL: storefrontUrl });
  expect(api.PORT).not.toBe(storefront.STOREFRONT_PORT);
});

it('tells the API the address that players reach the storefront by', async () => {
  const { api } = await addresses({ STOREFRONT_URL: 'https://pay.example.com/' });
  expect(api.STOREFRONT_URL).toBe('https://pay.example.com');
});

it('names the variable of a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  try {
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(addresses({ STOREFRONT_PORT: String(port) })).rejects.toThrow(
      `The storefront cannot start: port ${port} is in use by another program. Set STOREFRONT_PORT`,
    );
  } finally {
    other.close();
  }
});
