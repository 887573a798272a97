import path from 'node:path';
import { HOST } from '../limits.js';
import { OWNER_ONLY, writeDurably } from '../storage/durable-file.js';
import type { StoreAccess } from './store-access.js';

const FILE = 'connection-string';

/** What a client of a secure store is given: the same form that a secure cluster takes. */
export function secureConnectionString(access: StoreAccess, port: number): string {
  const { user, password, authorityFile } = access;
  // A slash may stand as it is, and people read this.
  const file = encodeURIComponent(authorityFile).replaceAll('%2F', '/');
  return `esdb://${user}:${encodeURIComponent(password)}@${HOST}:${port}?tls=true&tlsCAFile=${file}`;
}

/** What a client of a store without credentials is given. */
export function insecureConnectionString(port: number): string {
  return `esdb://${HOST}:${port}?tls=false`;
}

/** A connection string as it may be shown: without its password. */
export function withoutPassword(connectionString: string): string {
  return connectionString.replace(/^([^:]+:\/\/[^:@/]+):[^@]*@/, '$1:PASSWORD@');
}

/**
 * Leaves the connection string in the data directory, for its owner alone: a command takes it from there
 * without that a password stands in a list of processes.
 *
 * @returns the file.
 */
export function writeConnectionString(dataDir: string, connectionString: string): string {
  const file = path.join(dataDir, FILE);
  writeDurably(file, `${connectionString}\n`, OWNER_ONLY);
  return file;
}
