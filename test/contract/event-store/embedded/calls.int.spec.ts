/** gRPC as the embedded event store speaks it, seen from HTTP/2. */
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { frame } from '../../../../libs/embedded-event-store/src/grpc/spec-support/frame.js';
import { STREAMS } from '../../../../libs/embedded-event-store/src/grpc/services.js';
import { MAX_CALLS_PER_CONNECTION } from '../../../../libs/embedded-event-store/src/limits.js';
import { readOptions, subscriptionRequest } from '../subject.js';
import { RealStore } from './real-store.js';
import { encodeRequest } from './requests.js';

let store: RealStore;
let session: ClientHttp2Session;

beforeAll(async () => {
  store = await RealStore.start({ insecure: true });
  session = connect(`http://127.0.0.1:${store.port}`);
});
afterAll(async () => {
  session.destroy();
  await store.remove();
});

function open(
  method: string,
  headers: Record<string, string> = {},
  connection = session,
): ClientHttp2Stream {
  return connection.request({
    ':method': 'POST',
    ':path': method,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
}

/** The end of the call: its gRPC status, or that of HTTP where there is none. */
async function ending(call: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve, reject) => {
    const hear = (headers: Record<string, unknown>): void => {
      const code = headers['grpc-status'] ?? headers[':status'];
      if (headers['grpc-status'] !== undefined || code !== 200) resolve(Number(code));
    };
    call.on('response', hear).on('trailers', hear).on('error', reject).resume();
  });
}

function subscription(): Buffer {
  const options = readOptions();
  options.setAll(new streams.ReadReq.Options.AllOptions());
  return Buffer.from(subscriptionRequest(options).serializeBinary());
}

it('answers that are made in one turn leave in one piece', async () => {
  const requests = Array.from({ length: 50 }, (_, n) =>
    encodeRequest(`${STREAMS}/BatchAppend`, `together-${n}`).map((message) => frame(message)),
  ).flat();
  const call = open(`${STREAMS}/BatchAppend`);
  const pieces: Buffer[] = [];
  call.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = ending(call);
  call.end(Buffer.concat(requests));
  expect(await ended).toBe(status.OK);
  const answers = Buffer.concat(pieces)
    .toString('latin1')
    .match(/together-\d+/g);
  expect(new Set(answers).size).toBe(50);
  // They are decided in one turn, and on disk with one commit.
  expect(pieces.length).toBeLessThan(5);
});

it('a call ends when its time is over', async () => {
  const call = open(`${STREAMS}/Read`, { 'grpc-timeout': '50m' });
  const ended = ending(call);
  call.end(frame(subscription()));
  expect(await ended).toBe(status.DEADLINE_EXCEEDED);
});

it('a time that is malformed counts as none, as with a real node', async () => {
  const call = open(`${STREAMS}/Read`, { 'grpc-timeout': '-50m' });
  const isOver = ending(call).then(() => true);
  await once(call.end(frame(subscription())), 'data');
  // By the answer to a later call, a refusal would be here.
  const later = open(`${STREAMS}/Nothing`);
  const isNotOver = ending(later.end()).then(() => false);
  expect(await Promise.race([isOver, isNotOver])).toBe(false);
  call.close();
});

it('a connection says how many calls it carries at once, and what is over that is not served', async () => {
  // A client that has not heard so yet.
  const eager = connect(`http://127.0.0.1:${store.port}`, { peerMaxConcurrentStreams: 1000 });
  const calls = Array.from({ length: MAX_CALLS_PER_CONNECTION + 20 }, () =>
    open(`${STREAMS}/Read`, {}, eager),
  );
  const began = calls.map(async (call) => {
    await once(call.end(frame(subscription())), 'data');
  });
  const outcomes = await Promise.allSettled(began);
  const refused = outcomes.flatMap((each) =>
    each.status === 'rejected' ? [String(each.reason)] : [],
  );
  expect(eager.remoteSettings.maxConcurrentStreams).toBe(MAX_CALLS_PER_CONNECTION);
  expect(refused).toHaveLength(20);
  expect(refused[0]).toContain('NGHTTP2_REFUSED_STREAM');
  for (const call of calls) call.on('error', () => undefined);
  eager.destroy();
});

it('a call that ends within a message is refused', async () => {
  const call = open(`${STREAMS}/BatchAppend`);
  const ended = ending(call);
  call.end(frame(Buffer.alloc(20)).subarray(0, 12));
  expect(await ended).toBe(status.INTERNAL);
});

it('a second request to a method that takes one is refused', async () => {
  const call = open(`${STREAMS}/Read`);
  const ended = ending(call);
  call.end(Buffer.concat([frame(subscription()), frame(subscription())]));
  expect(await ended).toBe(status.UNIMPLEMENTED);
});

it('a status that quotes half a character is sent all the same', async () => {
  const id = new shared.UUID();
  id.setString(`${'x'.repeat(59)}😀`);
  const proposed = new streams.AppendReq.ProposedMessage();
  proposed.setId(id);
  const request = new streams.AppendReq();
  request.setProposedMessage(proposed);
  const call = open(`${STREAMS}/Append`);
  const ended = ending(call);
  call.end(frame(Buffer.from(request.serializeBinary())));
  expect(await ended).toBe(status.INVALID_ARGUMENT);
});

it('a method that is not there is unimplemented', async () => {
  const call = open(`${STREAMS}/Nothing`);
  const ended = ending(call);
  call.end();
  expect(await ended).toBe(status.UNIMPLEMENTED);
});

it('what is not gRPC is refused by HTTP', async () => {
  const call = open(`${STREAMS}/Read`, { 'content-type': 'application/json' });
  const ended = ending(call);
  call.end('{}');
  expect(await ended).toBe(415);
});
