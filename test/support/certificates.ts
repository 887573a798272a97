import { randomBytes, webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate and its private key, in PEM, as `node:tls` takes them. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that no machine trusts by itself. */
export interface Authority {
  readonly certificate: string;
  /** A certificate of a server with these DNS names, valid from yesterday for so many days. */
  issue(names: readonly string[], days?: number): Promise<Credentials>;
}

/** Makes one, without any tool. */
export async function createAuthority(): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await generateKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: serialNumber(), name: 'CN=studio authority', keys },
    ...{ signingAlgorithm: ALGORITHM, ...validFor(2) },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    certificate: own.toString('pem'),
    issue: async (names, days = 2) => {
      const { publicKey, privateKey } = await generateKeys();
      const issued = await x509.X509CertificateGenerator.create({
        ...{ serialNumber: serialNumber(), subject: 'CN=receiver', issuer: own.subjectName },
        ...{ signingAlgorithm: ALGORITHM, signingKey: keys.privateKey, publicKey },
        ...validFor(days),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: 'dns' as const, value })),
          ),
        ],
      });
      return { cert: issued.toString('pem'), key: await exportPem(privateKey) };
    },
  };
}

function validFor(days: number): { notBefore: Date; notAfter: Date } {
  const notBefore = new Date(Date.now() - DAY_MS);
  return { notBefore, notAfter: new Date(notBefore.getTime() + days * DAY_MS) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`;
}

/** Positive as a signed number, which the standard asks for. */
function serialNumber(): string {
  return `01${randomBytes(15).toString('hex')}`;
}
