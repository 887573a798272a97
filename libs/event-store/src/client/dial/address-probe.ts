import net from 'node:net';
import tls from 'node:tls';
import { SIGN_OF_LIFE_MS } from '../../streams/limits.js';

/**
 * The kind of server at an address. Only a certain kind is named; for all else, such as an address that does not answer
 * or a server that is about to end, it is undefined.
 *
 * - `http2`: it answers as an event store does, under these settings.
 * - `http1`: another server answers there.
 * - `plain`: it was dialled with TLS, and answers without it.
 * - `tls`: it was dialled without TLS, and answers with it alone.
 */
export type Sighting = 'http2' | 'http1' | 'plain' | 'tls' | { readonly certificate: string };

export interface Address {
  readonly address: string;
  readonly port: number;
}

/** A client's settings of TLS: the authority that it trusts, and its own certificate; all in PEM. */
export type TlsSettings = Pick<tls.ConnectionOptions, 'ca' | 'cert' | 'key'>;

/** The first bytes of every client of HTTP/2: its preface, and settings that change nothing. */
const GREETING = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const FRAME_HEADER_BYTES = 9;
/** The index of a frame's type, and the type that every server of HTTP/2 sends first. */
const TYPE_AT = 3;
const SETTINGS_FRAME = 4;

/**
 * Looks at an address as a client with these settings sees it: the errors of a gRPC channel do not
 * tell a server that speaks another protocol from one that is ending.
 *
 * @param secure undefined without TLS.
 */
export async function probeAddress(
  at: Address,
  secure: TlsSettings | undefined,
): Promise<Sighting | undefined> {
  if (secure === undefined)
    return (await probePlain(at)) ?? ((await isTls(at)) ? 'tls' : undefined);
  const socket = dialTls(at, secure);
  try {
    if (!(await isOpened(socket, 'secureConnect'))) {
      return (await probePlain(at)) === undefined ? undefined : 'plain';
    }
    if (!socket.authorized) return { certificate: String(socket.authorizationError) };
    return await probeProtocol(socket);
  } finally {
    socket.destroy();
  }
}

async function probePlain({ address, port }: Address): Promise<'http1' | 'http2' | undefined> {
  const socket = net.connect({ host: address, port });
  try {
    return (await isOpened(socket, 'connect')) ? await probeProtocol(socket) : undefined;
  } finally {
    socket.destroy();
  }
}

/** Whether a server speaks TLS, whatever its certificate is. */
async function isTls(at: Address): Promise<boolean> {
  const socket = dialTls(at, {});
  try {
    return await isOpened(socket, 'secureConnect');
  } finally {
    socket.destroy();
  }
}

/** Dials; a certificate that is not trusted does not end the handshake, so that it can be named. */
function dialTls({ address, port }: Address, secure: TlsSettings): tls.TLSSocket {
  return tls.connect({
    ...secure,
    host: address,
    port,
    // A host that is a number may not be sent as a name.
    ...(net.isIP(address) === 0 && { servername: address }),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
  });
}

function isOpened(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<boolean> {
  return new Promise((resolve) => {
    socket.setTimeout(SIGN_OF_LIFE_MS, () => socket.destroy());
    // The close that follows an error is waited for.
    socket.on('error', () => undefined);
    socket.once(event, () => resolve(true)).once('close', () => resolve(false));
  });
}

/** Greets a server as a client of HTTP/2, and looks at its first words. */
async function probeProtocol(socket: net.Socket): Promise<'http1' | 'http2' | undefined> {
  socket.write(GREETING);
  const answer = await readStart(socket);
  if (answer.toString('latin1', 0, 5) === 'HTTP/') return 'http1';
  return answer.length >= FRAME_HEADER_BYTES && answer[TYPE_AT] === SETTINGS_FRAME
    ? 'http2'
    : undefined;
}

/** The first bytes that come, or fewer where the connection ends before. */
function readStart(socket: net.Socket): Promise<Buffer> {
  let start = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on('data', (bytes) => {
      start = Buffer.concat([start, bytes]);
      if (start.length >= FRAME_HEADER_BYTES) resolve(start);
    });
    socket.once('close', () => resolve(start));
  });
}
