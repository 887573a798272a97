import { webcrypto, X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAuthorityProblem, isCurrent, type KeyPair } from './certificates.js';
import { createAuthority, issueServerCertificate } from './make-certificates.js';

const YEAR_MS = 365.25 * 86_400_000;

let authority: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
});

describe('an authority', () => {
  it('can sign for ten years', () => {
    for (const years of [0, 5, 9.9]) {
      expect(findAuthorityProblem(authority, Date.now() + years * YEAR_MS)).toBeUndefined();
    }
    expect(findAuthorityProblem(authority, Date.now() + 10.1 * YEAR_MS)).toMatch(/^it expired on /);
    expect(findAuthorityProblem(authority, Date.now() - YEAR_MS)).toMatch(/^it is valid from /);
  });

  it("is none without its own key, with a server's certificate, or in another form", async () => {
    const server = await issueServerCertificate(authority);
    const { certificate } = authority;
    expect(findAuthorityProblem({ ...server, certificate })).toMatch(/key belongs to another/);
    expect(findAuthorityProblem(server)).toMatch(/not one of an authority/);
    expect(findAuthorityProblem({ ...authority, privateKey: '' })).toMatch(/in PEM/);
  });
});

it("a server's certificate is the authority's, and for loopback alone", async () => {
  const [first, second] = await Promise.all([
    issueServerCertificate(authority),
    issueServerCertificate(authority),
  ]);
  expect(first.privateKey).not.toBe(second.privateKey);
  const parsed = new X509Certificate(first.certificate);
  expect(parsed.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  expect(parsed.ca).toBe(false);
  expect([parsed.checkHost('localhost'), parsed.checkHost('example.com')]).toEqual([
    'localhost',
    undefined,
  ]);
  expect([parsed.checkIP('127.0.0.1'), parsed.checkIP('::1'), parsed.checkIP('10.0.0.1')]).toEqual([
    '127.0.0.1',
    '::1',
    undefined,
  ]);
});

describe('a kept certificate of the server', () => {
  let server: KeyPair;
  beforeAll(async () => {
    server = await issueServerCertificate(authority);
  });

  it('is used for a year', () => {
    for (const years of [0, 0.5, 0.99]) {
      expect(isCurrent(server, authority, Date.now() + years * YEAR_MS)).toBe(true);
    }
    expect(isCurrent(server, authority, Date.now() + 1.01 * YEAR_MS)).toBe(false);
    expect(isCurrent(server, authority, Date.now() - YEAR_MS)).toBe(false);
  });

  it('is used neither with another authority, nor without its own key, nor when it is damaged', async () => {
    expect(isCurrent(server, await createAuthority())).toBe(false);
    expect(isCurrent({ ...server, privateKey: authority.privateKey }, authority)).toBe(false);
    expect(isCurrent({ certificate: '', privateKey: '' }, authority)).toBe(false);
  });

  it('may stand with its key in one file', () => {
    const both = `${server.privateKey}${server.certificate}`;
    expect(isCurrent({ certificate: both, privateKey: both }, authority)).toBe(true);
  });
});

/** The names, times and extensions of a certificate, in order. */
function read(pem: string) {
  const { subject, issuer, serialNumber, notBefore, notAfter, extensions } =
    new x509.X509Certificate(pem);
  const marked = extensions.map((one) => {
    const text = one.constructor.name.replace(/Extension$/, '');
    return one.critical ? `${text}!` : text;
  });
  return {
    subject,
    issuer,
    serialNumber,
    marked,
    days: (+notAfter - +notBefore) / 86_400_000,
    notBefore,
  };
}

describe('by a library that reads certificates', () => {
  it('an authority may sign certificates of servers alone, and a server is one of it', async () => {
    const server = read((await issueServerCertificate(authority)).certificate);
    const own = read(authority.certificate);
    const name = 'CN=subledger event store authority';
    expect([own.subject, own.issuer, server.issuer, server.subject]).toEqual([
      ...[name, name, name],
      'CN=localhost',
    ]);
    expect(own.marked).toEqual(['BasicConstraints!', 'KeyUsages!', 'SubjectKeyIdentifier']);
    expect(server.marked).toEqual([
      ...['BasicConstraints!', 'KeyUsages!', 'ExtendedKeyUsage'],
      ...['SubjectAlternativeName', 'AuthorityKeyIdentifier'],
    ]);
    expect(own.serialNumber).toMatch(/^[0-9a-f]{30,32}$/);
    expect(own.serialNumber).not.toBe(server.serialNumber);
    expect(own.days).toBeCloseTo(server.days, 3);
    expect(Math.abs(own.notBefore.getTime() + 86_400_000 - Date.now())).toBeLessThan(60_000);
  });

  it('keys may do what they are for', async () => {
    const server = new x509.X509Certificate((await issueServerCertificate(authority)).certificate);
    const own = new x509.X509Certificate(authority.certificate);
    const [signs, answers] = [own, server].map((one) => one.getExtension(x509.KeyUsagesExtension));
    expect(signs?.usages).toBe(x509.KeyUsageFlags.keyCertSign);
    expect(answers?.usages).toBe(x509.KeyUsageFlags.digitalSignature);
    expect(own.getExtension(x509.BasicConstraintsExtension)).toMatchObject({
      ca: true,
      pathLength: 0,
    });
    expect(server.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: false });
    const { usages } = server.getExtension(x509.ExtendedKeyUsageExtension) ?? {};
    expect(usages).toEqual([x509.ExtendedKeyUsage.serverAuth]);
    const { keyId } = own.getExtension(x509.SubjectKeyIdentifierExtension) ?? {};
    expect(keyId).toBe(
      Buffer.from(await own.publicKey.getKeyIdentifier(webcrypto)).toString('hex'),
    );
    expect(server.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId).toBe(keyId);
  });
});
