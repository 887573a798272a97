import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import type { KeyPair } from '../access/certificates.js';
import { openServerCertificate, type StoreAccess } from '../access/store-access.js';
import type { CallStatus } from '../failures.js';
import { GrpcCode } from './status.js';

/** The certificate and the credentials of a secure server (rules/storage 1). */
export interface ServerAccess {
  /** For TLS. */
  readonly keyPair: KeyPair;
  /** The right credentials, `user:password`. */
  readonly credentials: Buffer;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** EventStoreDB's answer to a caller without credentials. */
const ACCESS_DENIED: CallStatus = {
  code: GrpcCode.PERMISSION_DENIED,
  details: 'Access Denied',
  trailers: { exception: 'access-denied' },
};

/** EventStoreDB's answer to wrong credentials, also where none are needed. */
const UNAUTHENTICATED: CallStatus = {
  code: GrpcCode.UNAUTHENTICATED,
  details: 'Wrong user or password.',
};

export async function serverAccess(access: StoreAccess): Promise<ServerAccess> {
  return {
    keyPair: await openServerCertificate(access),
    credentials: Buffer.from(`${access.user}:${access.password}`),
  };
}

/**
 * Why a call is refused that does not bring the right credentials: from its headers alone, before anything of its
 * messages is read.
 *
 * @param isOpen whether its method is served without any credentials as well.
 */
export function refusalFor(
  headers: IncomingHttpHeaders,
  { credentials }: ServerAccess,
  isOpen: boolean,
): CallStatus | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return isOpen ? undefined : ACCESS_DENIED;
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  return isSame(Buffer.from(encoded, 'base64'), credentials) ? undefined : UNAUTHENTICATED;
}

/** Compares in a time that depends on the length alone, which is no secret. */
function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
