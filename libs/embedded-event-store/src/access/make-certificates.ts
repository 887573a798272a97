import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { KeyPair } from './certificates.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** A clock that is set back a little must not make a new certificate invalid. */
const BACKDATED_MS = 86_400_000;
const AUTHORITY_YEARS = 10;

x509.cryptoProvider.set(webcrypto);

/** A certificate authority of its own for one data directory, valid for ten years (rules/storage 2). */
export async function createAuthority(): Promise<KeyPair> {
  const keys = await generateKeys();
  const notAfter = new Date();
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + AUTHORITY_YEARS);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=subledger event store authority', keys, signingAlgorithm: ALGORITHM },
    ...{ notBefore: backdated(), notAfter },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: made.toString('pem'), privateKey: await exportPem(keys.privateKey) };
}

/**
 * A server's certificate, signed by the authority, for all names of loopback, where the server listens. It is valid
 * as long as the authority, so that a server that runs for years is not stopped by it.
 */
export async function issueServerCertificate(authority: KeyPair): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await generateKeys();
  const made = await x509.X509CertificateGenerator.create({
    ...{ subject: 'CN=localhost', issuer: issuer.subjectName, publicKey: keys.publicKey },
    ...{ signingKey: await importKey(authority.privateKey), signingAlgorithm: ALGORITHM },
    ...{ notBefore: backdated(), notAfter: issuer.notAfter },
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: made.toString('pem'), privateKey: await exportPem(keys.privateKey) };
}

function backdated(): Date {
  return new Date(Date.now() - BACKDATED_MS);
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = x509.PemConverter.decodeFirst(pem);
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
}

async function exportPem(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`;
}
