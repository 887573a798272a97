import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { EgressOptions } from './connector.js';
import { type AllowedPorts, DEFAULT_PORTS, parsePorts } from './address.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The environment's variables for how webhooks leave (rules/http 1), as `readConfig` takes them. */
export const egressVariables = {
  /** The ports that webhooks may go to. */
  ports: {
    name: 'WEBHOOK_PORTS',
    parse: (text: string | undefined): AllowedPorts =>
      text === undefined ? DEFAULT_PORTS : parsePorts(text),
  },
  /** Certificates of authorities beside those that are known to all, in PEM. */
  authorities: {
    name: 'WEBHOOK_CA_FILE',
    parse: (text: string | undefined): readonly string[] =>
      text === undefined ? [] : readAuthorities(text),
  },
  /** Through which they leave. */
  proxy: {
    name: 'WEBHOOK_PROXY',
    parse: (text: string | undefined): URL | undefined =>
      text === undefined ? undefined : parseProxy(text),
  },
};

/** How webhooks leave, by the worker's configuration. */
export function readEgressOptions(config: {
  readonly webhookAuthorities: readonly string[];
  readonly webhookProxy: URL | undefined;
}): EgressOptions {
  const { webhookAuthorities: authorities, webhookProxy: proxy } = config;
  return { authorities, ...(proxy !== undefined && { proxy }) };
}

/** @throws Error that names the problem of the file. */
function readAuthorities(file: string): readonly string[] {
  const found = readText(file).match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new Error(`names ${file}, which holds no certificate in PEM`);
  for (const pem of found) {
    if (!isAuthority(pem)) {
      throw new Error(`names ${file}, which holds a certificate of no authority`);
    }
  }
  return found;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'an error' } = Object(error) as NodeJS.ErrnoException;
    throw new Error(`names ${file}, which cannot be read: ${code}`);
  }
}

function isAuthority(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca;
  } catch {
    return false;
  }
}

/** It may hold a password: messages about it do not show it. */
function parseProxy(text: string): URL {
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol === 'http:' && proxy.pathname === '/' && proxy.search === '') return proxy;
  throw new Error('must be http://host:port or http://user:password@host:port');
}
