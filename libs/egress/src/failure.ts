import { Fault } from '#platform';

/** The kind of a failure: stable, for logs of deliveries and figures. */
export type EgressFailureCode =
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'unreachable'
  | 'tls'
  | 'dns'
  | 'forbidden_address'
  | 'proxy'
  | 'invalid_answer'
  | 'other';

/** Of the codes of Node.js and undici; those of TLS are recognised by their beginnings. */
const BY_CODE: Readonly<Record<string, EgressFailureCode>> = {
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // The socket was closed before the request went out over it.
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_CLOSED: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EPROTO: 'tls',
  ERR_FORBIDDEN_TARGET: 'forbidden_address',
  ERR_NOT_PROXIED: 'proxy',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_answer',
};
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA)/;
/** This machine has no room for a connection: that is no failure of the target's. */
const OUR_OWN: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** @returns the kind of an error of a request. @throws Fault where the request failed on our side. */
export function readFailure(error: unknown): EgressFailureCode {
  if (error instanceof Fault) throw error;
  const { name, code, syscall } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (name === 'TimeoutError') return 'timeout';
  if (name === 'HTTPParserError') return 'invalid_answer';
  if (code === undefined) return 'other';
  if (OUR_OWN.has(code)) {
    const message = `this machine has no room for a connection (${code})`;
    throw new Fault('unavailable', message, { retryable: true });
  }
  if (syscall?.startsWith('query') === true) return 'dns';
  return BY_CODE[code] ?? (TLS.test(code) ? 'tls' : 'other');
}
