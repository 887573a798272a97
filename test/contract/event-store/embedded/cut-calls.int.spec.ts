/** Calls and connections that end otherwise than a client of a library ends them. */
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { frame as message } from '../../../../libs/embedded-event-store/src/grpc/spec-support/frame.js';
import { collect, event, uniqueStream } from '../subject.js';
import { RealStore } from './real-store.js';
import { encodeRequest } from './requests.js';

const APPEND = '/event_store.client.streams.Streams/Append';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY] = [0, 1, 3, 4, 6, 7];
const PING_BYTES = Buffer.from('settled?');
const [ACK, END_HEADERS] = [1, 4];

let store: RealStore;
let client: EventStoreDBClient;

beforeAll(async () => {
  store = await RealStore.start({ insecure: true });
  ({ client } = store);
});
afterAll(() => store.remove());

/** A frame of HTTP/2. */
function frame(type: number, flags: number, stream: number, body?: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body?.length ?? 0, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return body ? Buffer.concat([head, body]) : head;
}

/** Headers as literals, which need no table. */
function headers(named: Readonly<Record<string, string>>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const literals = Object.entries(named).flatMap(([name, value]) => [
    Buffer.from([0]),
    text(name),
    text(value),
  ]);
  return Buffer.concat(literals);
}

const code = (value: number): Buffer => Buffer.from([0, 0, 0, value]);

/** A connection with an append that has sent its options and its events, and not its end. */
async function openAppend(stream: string): Promise<Socket> {
  const socket = connect(store.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const hello = [Buffer.from(PREFACE), frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0)];
  const asked = { ':method': 'POST', ':scheme': 'http', ':path': APPEND, ':authority': 'x' };
  const all = headers({ ...asked, 'content-type': 'application/grpc', te: 'trailers' });
  const parts = encodeRequest(APPEND, stream).map((part) => frame(DATA, 0, 1, message(part)));
  socket.write(Buffer.concat([...hello, frame(HEADERS, END_HEADERS, 1, all), ...parts]));
  return socket;
}

/** Until the server has answered a ping, which comes behind all that it was sent before, or is gone. */
async function settled(socket: Socket): Promise<void> {
  const answer = frame(PING, ACK, 0, PING_BYTES);
  let received = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    socket.once('close', resolve).on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.includes(answer)) resolve();
    });
    if (!socket.writableEnded) socket.write(frame(PING, 0, 0, PING_BYTES));
  });
  socket.destroy();
}

const ENDINGS: Readonly<Record<string, (socket: Socket) => void>> = {
  'a reset without an error': (socket) => void socket.write(frame(RST_STREAM, 0, 1, code(0))),
  'a cancellation': (socket) => void socket.write(frame(RST_STREAM, 0, 1, code(8))),
  'the end of the connection': (socket) => void socket.end(),
  'a goodbye and the end': (socket) =>
    void socket.end(frame(GOAWAY, 0, 0, Buffer.concat([code(0), code(0)]))),
};

it.each(Object.keys(ENDINGS))('an append that is cut by %s writes nothing', async (ending) => {
  const stream = uniqueStream('cut');
  const socket = await openAppend(stream);
  ENDINGS[ending]?.(socket);
  await settled(socket);
  // Events are written in their order: a part that had been taken for an append would be there with this one.
  await client.appendToStream(uniqueStream('later'), [event()]);
  await expect(collect(client.readStream(stream))).rejects.toMatchObject({
    type: 'stream-not-found',
  });
});

it('says goodbye to connections without calls when it stops', async () => {
  const stopped = await RealStore.start({ insecure: true });
  const session = connectHttp2(`http://127.0.0.1:${stopped.port}`);
  await once(session, 'remoteSettings');
  const goodbye = once(session, 'goaway');
  await stopped.stop();
  expect((await goodbye)[0]).toBe(constants.NGHTTP2_NO_ERROR);
  await stopped.remove();
});
