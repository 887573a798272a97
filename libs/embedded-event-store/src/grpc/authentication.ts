import { timingSafeEqual } from 'node:crypto';
import {
  Metadata,
  ServerCredentials,
  type ServerInterceptingCall,
  type ServerInterceptor,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import { issueServerCertificate } from '../access/certificates.js';
import type { StoreAccess } from '../access/store-access.js';

/** The certificate and the credentials of a secure server (rules/storage 1). */
export interface ServerAccess {
  /** TLS with a certificate that was made for this run of the server. */
  readonly channel: ServerCredentials;
  /** The right credentials, `user:password`. */
  readonly credentials: Buffer;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** EventStoreDB's answer to a caller without credentials. */
const ACCESS_DENIED: StatusObject = {
  code: status.PERMISSION_DENIED,
  details: 'Access Denied',
  metadata: Metadata.fromHttp2Headers({ exception: 'access-denied' }),
};

/** EventStoreDB's answer to wrong credentials, also where none are needed. */
const UNAUTHENTICATED: StatusObject = {
  code: status.UNAUTHENTICATED,
  details: 'Wrong user or password.',
  metadata: new Metadata(),
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
 * Refuses a call when its headers are there and before anything of its messages is read, unless it
 * brings the right credentials: grpc-js itself shows a call to its handler with its first message
 * whole, however long that is, also from a stranger.
 *
 * @param isOpen whether a method, such as `/package.Service/Method`, is served without any
 *   credentials as well.
 */
export function accessGuard(
  { credentials }: ServerAccess,
  isOpen: (path: string) => boolean,
): ServerInterceptor {
  return ({ path }, call) => {
    const start = call.start.bind(call);
    call.start = (listener) => {
      const onReceiveMetadata = (metadata: Metadata): void => {
        const refusal = refusalFor(metadata, credentials, isOpen(path));
        if (refusal) call.sendStatus(refusal);
        // The call goes on with its own listener: its messages pass nothing of the guard.
        else start(listener);
      };
      start({ ...DEAF, onReceiveMetadata });
    };
    // grpc-js asks for its wrapper in the types alone; it would cost each message some closures.
    return call as ServerInterceptingCall;
  };
}

/** A listener that ignores the rest of a refused call. */
const DEAF = {
  onReceiveMessage: () => undefined,
  onReceiveHalfClose: () => undefined,
  onCancel: () => undefined,
};

function refusalFor(
  metadata: Metadata,
  credentials: Buffer,
  isOpen: boolean,
): StatusObject | undefined {
  const [header] = metadata.get('authorization');
  if (header === undefined) return isOpen ? undefined : ACCESS_DENIED;
  const [, encoded = ''] = BASIC.exec(header.toString()) ?? [];
  return isSame(Buffer.from(encoded, 'base64'), credentials) ? undefined : UNAUTHENTICATED;
}

/** Compares in a time that depends on the length alone, which is no secret. */
function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
