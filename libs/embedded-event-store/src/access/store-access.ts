import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { EventStoreStartRefused } from '../failures.js';
import { HOST } from '../limits.js';
import { errorCode } from '../storage/data-directory.js';
import { OWNER_ONLY, writeDurably } from '../storage/durable-file.js';
import { findAuthorityProblem, isCurrent, type KeyPair } from './certificates.js';

/**
 * The credentials of a store's callers, and its own towards them: a certificate authority and a password for each data
 * directory, readable by their owner alone (rules/storage 1 and 2).
 */
export interface StoreAccess {
  readonly user: string;
  readonly password: string;
  readonly passwordFile: string;
  readonly authority: KeyPair;
  /** The authority's certificate, which clients have to trust: `tlsCAFile`. */
  readonly authorityFile: string;
  /** Holds the server's own certificate and its key. */
  readonly serverFile: string;
}

/** The one user of a store; EventStoreDB's own name for the one that may do everything. */
const USER = 'admin';
const DIRECTORY = 'access';
const CERTIFICATE = 'ca.pem';
const PRIVATE_KEY = 'ca.key';
const SERVER = 'server.pem';
const PASSWORD = 'password';
const PASSWORD_BYTES = 32;

/**
 * The access of a data directory, made where there is none yet. Any program may call this for a
 * directory at any time: the files appear whole, and once.
 *
 * @throws EventStoreStartRefused when it is damaged, incomplete or expired.
 */
export async function openAccess(dataDir: string): Promise<StoreAccess> {
  const directory = path.resolve(dataDir, DIRECTORY);
  if (!existsSync(directory)) await makeAccess(directory);
  const read = (name: string): string => readPart(directory, name);
  const authority = { certificate: read(CERTIFICATE), privateKey: read(PRIVATE_KEY) };
  const problem = findAuthorityProblem(authority);
  if (problem !== undefined) throw unusable(directory, `certificate authority: ${problem}`);
  const password = read(PASSWORD).trim();
  if (password === '') throw unusable(directory, `${PASSWORD} is empty`);
  return {
    user: USER,
    password,
    passwordFile: path.join(directory, PASSWORD),
    authority,
    authorityFile: path.join(directory, CERTIFICATE),
    serverFile: path.join(directory, SERVER),
  };
}

/** The server's own certificate: the kept one, or a new one in its place when that is not to be used any more. */
export async function openServerCertificate({
  authority,
  serverFile,
}: StoreAccess): Promise<KeyPair> {
  const kept = existsSync(serverFile) ? readFileSync(serverFile, 'utf8') : '';
  const keptPair = { certificate: kept, privateKey: kept };
  if (isCurrent(keptPair, authority)) return keptPair;
  const { issueServerCertificate } = await import('./make-certificates.js');
  const made = await issueServerCertificate(authority);
  writeDurably(serverFile, joinPem(made), OWNER_ONLY);
  return made;
}

/** All files get their place in one step, so that a start that is cut short leaves none of them. */
async function makeAccess(directory: string): Promise<void> {
  // Only this takes the library, which costs a start a tenth of a second.
  const { createAuthority, issueServerCertificate } = await import('./make-certificates.js');
  const authority = await createAuthority();
  const server = await issueServerCertificate(authority);
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(`${directory}.`);
  try {
    writeDurably(path.join(draft, CERTIFICATE), authority.certificate, OWNER_ONLY);
    writeDurably(path.join(draft, PRIVATE_KEY), authority.privateKey, OWNER_ONLY);
    writeDurably(path.join(draft, SERVER), joinPem(server), OWNER_ONLY);
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    writeDurably(path.join(draft, PASSWORD), `${password}\n`, OWNER_ONLY);
    renameSync(draft, directory);
  } catch (error) {
    // Another start was first: its files are used.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Each reader of PEM takes the block that it looks for. */
function joinPem({ certificate, privateKey }: KeyPair): string {
  return `${privateKey.trim()}\n${certificate.trim()}\n`;
}

function readPart(directory: string, name: string): string {
  try {
    return readFileSync(path.join(directory, name), 'utf8');
  } catch (error) {
    throw unusable(directory, `${name}: ${errorCode(error)}`);
  }
}

function unusable(directory: string, what: string): EventStoreStartRefused {
  return new EventStoreStartRefused(
    `${directory} can't be used (${what}): restore it from a backup, or delete it. A new certificate ` +
      'authority and password are then made at the next start, and clients must be given both; ' +
      'no event is lost.',
  );
}

const FILE = 'connection-string';

/** The connection string of a secure store, in the form that a secure cluster takes. */
export function secureConnectionString(access: StoreAccess, port: number): string {
  const { user, password, authorityFile } = access;
  // People read this, so a slash stays as it is.
  const file = encodeURIComponent(authorityFile).replaceAll('%2F', '/');
  return `esdb://${user}:${encodeURIComponent(password)}@${HOST}:${port}?tls=true&tlsCAFile=${file}`;
}

/** The connection string of a store without credentials. */
export function insecureConnectionString(port: number): string {
  return `esdb://${HOST}:${port}?tls=false`;
}

/** A connection string as it may be shown: without its password. */
export function withoutPassword(connectionString: string): string {
  return connectionString.replace(/^([^:]+:\/\/[^:@/]+):[^@]*@/, '$1:PASSWORD@');
}

/**
 * Leaves the connection string in the data directory, for its owner alone: a command reads it
 * there, so that no password stands in a list of processes.
 *
 * @returns the file.
 */
export function writeConnectionString(dataDir: string, connectionString: string): string {
  const file = path.join(dataDir, FILE);
  writeDurably(file, `${connectionString}\n`, OWNER_ONLY);
  return file;
}
