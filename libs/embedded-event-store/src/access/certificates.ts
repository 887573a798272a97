import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import {
  bits,
  commonName,
  type Der,
  der,
  identifier,
  integer,
  isTrue,
  octets,
  readParts,
  sequence,
  time,
} from './der.js';
import { certify, extension, readFields, hashKey } from './x509.js';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

const AUTHORITY_YEARS = 10;
const AUTHORITY_NAME = 'subledger event store authority';
/** The server listens on loopback alone, so these are all the names it is reached by: DNS and IP. */
const SERVER_NAMES = sequence(
  der(0x82, Buffer.from('localhost')),
  der(0x87, Buffer.of(127, 0, 0, 1)),
  der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.of(1)])),
);
/** Of what kind a certificate is and what its key may do, by RFC 5280, 4.2.1. */
const KINDS = {
  authority: [
    extension('551d13', sequence(isTrue(), integer(Buffer.of(0))), 'critical'),
    extension('551d0f', bits(Buffer.of(0x04), 2), 'critical'),
  ],
  server: [
    extension('551d13', sequence(), 'critical'),
    extension('551d0f', bits(Buffer.of(0x80), 7), 'critical'),
    extension('551d25', sequence(identifier('2b06010505070301'))),
    extension('551d11', SERVER_NAMES),
  ],
};

/** A certificate authority of its own for one data directory, valid for ten years (rules/storage 2). */
export async function createAuthority(): Promise<KeyPair> {
  const keys = await generateKeys();
  const name = commonName(AUTHORITY_NAME);
  const certificate = certify(keys.privateKey, {
    ...{ issuer: name, subject: name, publicKey: keys.publicKey },
    notAfter: time(inYears(AUTHORITY_YEARS)),
    extensions: [...KINDS.authority, extension('551d0e', octets(hashKey(keys.publicKey)))],
  });
  return { certificate, privateKey: exportPem(keys.privateKey) };
}

/**
 * The server's own certificate, signed by the authority. It lives as long as the authority: a server that
 * runs for years must not be stopped by it, and its key never leaves the process that asked for it.
 */
export async function issueServerCertificate(authority: KeyPair): Promise<KeyPair> {
  const [, , , , validity, issuer, publicKey] = readFields(authority.certificate);
  const keys = await generateKeys();
  const certificate = certify(createPrivateKey(authority.privateKey), {
    ...{ issuer, subject: commonName('localhost'), publicKey: keys.publicKey },
    notAfter: readParts(validity)[1] as Der,
    extensions: [...KINDS.server, extension('551d23', sequence(der(0x80, hashKey(publicKey))))],
  });
  return { certificate, privateKey: exportPem(keys.privateKey) };
}

/** What is wrong with an authority that was read from a disk; nothing is when it can sign now. */
export function findAuthorityProblem(
  { certificate, privateKey }: KeyPair,
  nowMs = Date.now(),
): string | undefined {
  try {
    const parsed = new X509Certificate(certificate);
    if (!parsed.ca) return 'its certificate is not one of an authority';
    if (!parsed.checkPrivateKey(createPrivateKey(privateKey))) {
      return 'its key belongs to another certificate';
    }
    if (nowMs > Date.parse(parsed.validTo)) return `it expired on ${parsed.validTo}`;
    if (nowMs < Date.parse(parsed.validFrom)) return `it is valid from ${parsed.validFrom} on`;
    return undefined;
  } catch {
    return 'its files are not a certificate and a key in PEM';
  }
}

async function generateKeys(): Promise<{
  readonly privateKey: KeyObject;
  readonly publicKey: Der;
}> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }) };
}

function exportPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function inYears(years: number): Date {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}
