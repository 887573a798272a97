import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A server's certificate is made anew at the first start after a year. */
const RENEWAL_MS = 365 * 86_400_000;

/** Why an authority that was read from a disk cannot sign now; undefined when it can. */
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

/** Whether a server may go on with a certificate that was read from a disk: this authority's, and of this year. */
export function isCurrent(server: KeyPair, authority: KeyPair, nowMs = Date.now()): boolean {
  try {
    const parsed = new X509Certificate(server.certificate);
    const issuer = new X509Certificate(authority.certificate);
    const ageMs = nowMs - Date.parse(parsed.validFrom);
    if (ageMs < 0 || ageMs > RENEWAL_MS || !parsed.verify(issuer.publicKey)) return false;
    return parsed.checkPrivateKey(createPrivateKey(server.privateKey));
  } catch {
    return false;
  }
}
