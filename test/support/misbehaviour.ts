import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How a receiver answers a request that it has read to the end of its head. */
type Behaviour = (socket: Socket) => void;

const OK = 'HTTP/1.1 200 OK\r\n';
/** An hour is too long for a test: slow answers come this often. */
const DRIP_EVERY_MS = 20;
const SECRET_TEXT = 'SECRET-OF-THE-RECEIVER';

const usedBefore = new WeakSet<Socket>();

/** The behaviour of each path. Every answer that has text in it has `SECRET-OF-THE-RECEIVER`, which no log may show. */
export const MISBEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/ok': answer(`${OK}content-length: 2\r\n`, 'ok'),
  '/garbage': answer(`${OK}content-length: 3\r\n`, Buffer.from([0xff, 0xc3, 0x28])),
  '/gone': answer(`HTTP/1.1 410 Gone\r\ncontent-length: ${SECRET_TEXT.length}\r\n`, SECRET_TEXT),
  '/fails': answer(`HTTP/1.1 500 No\r\nx-why: ${SECRET_TEXT}\r\ncontent-length: 0\r\n`, ''),
  '/busy': answer('HTTP/1.1 429 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n', ''),
  '/busy-until': answer(
    'HTTP/1.1 503 Busy\r\nretry-after: Thu, 01 Jan 2026 00:01:00 GMT\r\ncontent-length: 0\r\n',
    '',
  ),
  '/redirects': answer('HTTP/1.1 302 On\r\nlocation: /redirects\r\ncontent-length: 0\r\n', ''),
  '/keeps-for-ever': answer(`${OK}keep-alive: timeout=600\r\ncontent-length: 2\r\n`, 'ok'),
  '/closes-when-used-again': (socket) => {
    if (usedBefore.has(socket)) reset(socket);
    else socket.write(`${OK}content-length: 2\r\n\r\nok`);
    usedBefore.add(socket);
  },
  '/hangs': () => undefined,
  '/closes-at-once': (socket) => socket.end(),
  '/resets': (socket) => reset(socket),
  '/resets-after-head': (socket) => {
    socket.write(`${OK}content-length: 10\r\n\r\n`);
    setTimeout(() => reset(socket), DRIP_EVERY_MS);
  },
  '/resets-in-body': (socket) => {
    socket.write(`${OK}content-length: 100\r\n\r\n${SECRET_TEXT}`);
    setTimeout(() => reset(socket), DRIP_EVERY_MS);
  },
  '/ends-in-body': (socket) => socket.end(`${OK}content-length: 100\r\n\r\n${SECRET_TEXT}`),
  '/drips-head': (socket) => drip(socket, `${OK}x-slow: ${'x'.repeat(9_999)}`),
  '/drips-body': (socket) => {
    socket.write(`${OK}content-length: 9999\r\n\r\n`);
    drip(socket, 'x'.repeat(9_999));
  },
  '/endless-body': (socket) => {
    socket.write(`${OK}\r\n`);
    repeat(socket, 'y'.repeat(65_536));
  },
  '/endless-chunks': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    repeat(socket, `1000\r\n${'z'.repeat(4_096)}\r\n`);
  },
  '/huge-head': (socket) => {
    socket.write(OK);
    for (let at = 0; at < 1_024; at += 1) socket.write(`x-${at}: ${SECRET_TEXT.padEnd(1_024)}\r\n`);
    socket.end('\r\n');
  },
  '/no-http': (socket) => socket.end(`${SECRET_TEXT} is not HTTP\r\n\r\n`),
  '/continues': (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  '/processes': (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
  '/switches': answer('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n', ''),
};

function answer(head: string, body: string | Buffer): Behaviour {
  return (socket) => {
    socket.write(`${head}\r\n`);
    if (body.length > 0) socket.write(body);
  };
}

/** A socket of TLS ends without saying so, which is the same to the other side. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++)), DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** As fast as the other side takes it; the test itself, which is in the same process, must have its turn. */
function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(text);
  }, 1);
  socket.once('close', () => clearInterval(timer));
}
