import { createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import type * as X509 from '@peculiar/x509';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const AUTHORITY_YEARS = 10;
/** A clock that is set back a little must not make a new certificate invalid. */
const BACKDATED_MS = DAY_MS;
const SERIAL_BYTES = 16;
/** The server listens on loopback alone, so these are all the names it is reached by. */
const SERVER_NAMES: X509.JsonGeneralNames = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
];

/** A certificate authority of its own for one data directory, valid for ten years (rules/storage 2). */
export async function createAuthority(): Promise<KeyPair> {
  const x509 = await load();
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=subledger event store authority',
    notBefore: new Date(Date.now() - BACKDATED_MS),
    notAfter: inYears(AUTHORITY_YEARS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, privateKey: await exportPem(keys) };
}

/**
 * The server's own certificate, signed by the authority. It lives as long as the authority: a server that
 * runs for years must not be stopped by it, and its key never leaves the process that asked for it.
 */
export async function issueServerCertificate(authority: KeyPair): Promise<KeyPair> {
  const x509 = await load();
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: issuer.subjectName,
    notBefore: new Date(Date.now() - BACKDATED_MS),
    notAfter: issuer.notAfter,
    signingAlgorithm: ALGORITHM,
    signingKey: await importSigningKey(authority),
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(SERVER_NAMES),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), privateKey: await exportPem(keys) };
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

/** The library takes a tenth of a second to load, and only a start needs it. */
async function load(): Promise<typeof X509> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function importSigningKey({ privateKey }: KeyPair): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
}

async function exportPem({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const text = createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  return text.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Random, and positive as a signed number, which the standard asks for. */
function serialNumber(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString('hex');
}

function inYears(years: number): Date {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}
