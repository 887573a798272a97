import { timingSafeEqual } from 'node:crypto';
import {
  Metadata,
  ServerCredentials,
  type ServerDuplexStream,
  status,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { issueServerCertificate } from '../access/certificates.js';
import type { StoreAccess } from '../access/store-access.js';
import type { CallStatus } from '../failures.js';
import type { Answer } from './calls.js';

/** What makes the server a secure one (rules/storage 1). */
export interface ServerAccess {
  /** TLS with a certificate that was made for this run of the server. */
  readonly channel: ServerCredentials;
  /** The right credentials, `user:password`. */
  readonly credentials: Buffer;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** EventStoreDB's answer to somebody without credentials. */
const ACCESS_DENIED: CallStatus = {
  code: status.PERMISSION_DENIED,
  details: 'Access Denied',
  metadata: Metadata.fromHttp2Headers({ exception: 'access-denied' }),
};

/** EventStoreDB's answer to wrong credentials, also where none are needed. */
const UNAUTHENTICATED: CallStatus = {
  code: status.UNAUTHENTICATED,
  details: 'Wrong user or password.',
};

export async function serverAccess(access: StoreAccess): Promise<ServerAccess> {
  const { certificate, privateKey } = await issueServerCertificate(access.authority);
  const pair = { private_key: Buffer.from(privateKey), cert_chain: Buffer.from(certificate) };
  return {
    channel: ServerCredentials.createSsl(null, [pair]),
    credentials: Buffer.from(`${access.user}:${access.password}`),
  };
}

/**
 * All calls of a service, each refused before anything of it is handled unless it brings the right
 * credentials.
 *
 * @param isOpen whether calls without any credentials are served as well.
 */
export function guarded(
  calls: UntypedServiceImplementation,
  { credentials }: ServerAccess,
  isOpen: boolean,
): UntypedServiceImplementation {
  const guard = ([name, call]: [string, UntypedHandleCall]) => {
    // grpc-js calls all kinds of handlers like this; where the answer is a stream, without `answer`.
    const handle = call as (call: ServerDuplexStream<Buffer, Buffer>, answer?: Answer) => void;
    const refuseOrHandle: typeof handle = (called, answer) => {
      const refusal = refusalOf(called.metadata, credentials, isOpen);
      if (!refusal) handle(called, answer);
      else if (answer) answer(refusal);
      else called.emit('error', refusal as unknown as Error);
    };
    return [name, refuseOrHandle as UntypedHandleCall];
  };
  return Object.fromEntries(Object.entries(calls).map(guard)) as UntypedServiceImplementation;
}

function refusalOf(
  metadata: Metadata,
  credentials: Buffer,
  isOpen: boolean,
): CallStatus | undefined {
  const [header] = metadata.get('authorization');
  if (header === undefined) return isOpen ? undefined : ACCESS_DENIED;
  const [, encoded = ''] = BASIC.exec(header.toString()) ?? [];
  return isSame(Buffer.from(encoded, 'base64'), credentials) ? undefined : UNAUTHENTICATED;
}

/** In a time that tells nothing but the length, which is no secret. */
function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
