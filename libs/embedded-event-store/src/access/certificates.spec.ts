import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createAuthority,
  issueServerCertificate,
  type KeyPair,
  findAuthorityProblem,
} from './certificates.js';

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
