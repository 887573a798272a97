import { generateKeyPairSync } from 'node:crypto';

/** A key for a ledger's seals, in PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
