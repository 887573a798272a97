import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Channel, connectivityState, credentials, Metadata, status } from '@grpc/grpc-js';
import { WatchedChannel } from '../failover/index.js';
import { ConnectionCall } from './connection-call.js';

const HEAD = { ':status': 200, 'content-type': 'application/grpc' };

let server: ReturnType<typeof createServer>;
let sessions: ServerHttp2Session[];
let answer: (stream: ServerHttp2Stream) => void;
let channel: WatchedChannel;

beforeEach(async () => {
  sessions = [];
  answer = () => undefined;
  server = createServer()
    .on('session', (session) => sessions.push(session))
    .on('stream', (stream) => answer(stream.on('error', () => undefined)))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens at a port of its own, which its address names.
  const { port } = server.address() as AddressInfo;
  const inner = new Channel(`127.0.0.1:${port}`, credentials.createInsecure(), {});
  channel = new WatchedChannel(inner, {
    tickMs: 50,
    isCluster: false,
    fruitless: { dials: 0, silences: 0 },
    probe: () => new Promise(() => undefined),
    onNotLeader: () => Promise.resolve(),
  });
});
afterEach(async () => {
  channel.close();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('is none where the channel has no connection, so that the channel dials', async () => {
  expect(begin().call).toBeUndefined();
  await connect();
  expect(begin().call).toBeDefined();
});

it('gives answers as they come, in pieces and several at once, and then its end', async () => {
  await connect();
  const bytes = Buffer.concat(['one', 'two', 'three'].map((text) => frame(text)));
  answer = (stream) => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.write(bytes.subarray(0, 10));
    stream.end(bytes.subarray(10));
  };
  const { call, ended } = begin();
  expect(await collect(call)).toEqual(['one', 'two', 'three']);
  expect(await ended).toBeUndefined();
});

it('leaves with the connection what is not taken', async () => {
  await connect();
  let open: ServerHttp2Stream | undefined;
  answer = (stream) => {
    open = stream;
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    for (let n = 0; n < 2_000; n += 1) stream.write(frame(`${n}`.padEnd(500)));
    stream.end();
  };
  const { call } = begin();
  await changed(call);
  for (let n = 0; n < 200; n += 1) await turn();
  expect(open?.writableLength).toBeGreaterThan(0);
  expect(await collect(call)).toHaveLength(2_000);
});

it('lets as many answers wait as its caller takes at once', async () => {
  await connect();
  const texts = Array.from({ length: 1_000 }, (_, n) => String(n));
  answer = (stream) => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.concat(texts.map(frame)));
  };
  const { call, ended } = begin(undefined, 1_000);
  await ended;
  expect(call?.take()).toEqual(texts);
});

it('fails with the status, its text and what the node says beside it', async () => {
  await connect();
  answer = (stream) =>
    stream.respond(
      { ...HEAD, 'grpc-status': '5', 'grpc-message': 'no%20leader', exception: 'not-leader' },
      { endStream: true },
    );
  const { call, ended } = begin();
  await changed(call);
  expect(call?.error).toMatchObject({ code: status.NOT_FOUND, details: 'no leader' });
  expect(call?.error?.metadata.get('exception')).toEqual(['not-leader']);
  expect(await ended).toBe(call?.error);
});

it('fails as unavailable when its connection is lost', async () => {
  await connect();
  answer = (stream) => {
    stream.respond(HEAD);
    stream.write(frame('one'), () => stream.session?.destroy());
  };
  const { ended } = begin();
  expect(await ended).toMatchObject({ code: status.UNAVAILABLE });
});

it.each([
  ['are packed', Buffer.from([1, 0, 0, 0, 1, 65])],
  ['cannot be read', frame('broken')],
])('fails where answers %s', async (_, bytes) => {
  await connect();
  answer = (stream) => {
    stream.respond(HEAD);
    stream.write(bytes);
  };
  expect(await begin().ended).toMatchObject({ code: status.INTERNAL });
});

it('tells the node when it is canceled', async () => {
  await connect();
  const canceled = new Promise((resolve) => (answer = (stream) => stream.on('close', resolve)));
  const { call, ended } = begin();
  await turn();
  call?.leave(true);
  await canceled;
  expect(await ended).toMatchObject({ code: status.CANCELLED });
});

it('stays open for what is sent later, of which what is sent in one turn leaves in one piece', async () => {
  await connect();
  const pieces: string[] = [];
  answer = (stream) => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece.toString());
      stream.write(piece);
      if (pieces.length === 2) stream.end();
    });
  };
  const { call, ended } = begin(null);
  const first = changed(call);
  for (const text of ['one', 'two', 'three']) call?.send(Buffer.from(text));
  await first;
  expect(call?.hasEnded).toBe(false);
  call?.send(Buffer.from('four'));
  expect(await collect(call)).toEqual(['one', 'two', 'three', 'four']);
  expect(pieces).toEqual([['one', 'two', 'three'].map(frame).join(''), frame('four').toString()]);
  expect(await ended).toBeUndefined();
  expect(() => call?.send(Buffer.from('too late'))).not.toThrow();
});

it('ends as a lost connection does where its user is done with the node', async () => {
  await connect();
  const { call, ended } = begin(null);
  await turn();
  call?.lose('the node is not ready');
  expect(await ended).toMatchObject({
    code: status.UNAVAILABLE,
    details: 'the node is not ready',
  });
});

it('is ended by the watch of its channel where the node is silent', async () => {
  await connect();
  expect(await begin().ended).toMatchObject({
    code: status.UNAVAILABLE,
    details: 'the node answers nothing, not even a probe',
  });
});

/** @param request all that is sent; null where more follows. */
function begin(request: Buffer | null = Buffer.from('request'), untaken?: number) {
  let end: (error: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => (end = resolve));
  const call = ConnectionCall.begin(channel, {
    path: '/test/Read',
    metadata: new Metadata(),
    request: request ?? undefined,
    untaken,
    read: (bytes) => {
      if (bytes.toString() === 'broken') throw new Error('not an answer');
      return bytes.toString().trim();
    },
    onEnd: end,
  });
  return { call, ended };
}

async function connect(): Promise<void> {
  let state = channel.getConnectivityState(true);
  while (state !== connectivityState.READY) {
    const seen = state;
    await new Promise((resolve) => channel.watchConnectivityState(seen, Infinity, resolve));
    state = channel.getConnectivityState(true);
  }
}

type Call = ReturnType<typeof begin>['call'];

function changed(call: Call): Promise<void> {
  return new Promise((resolve) => {
    if (call) call.onChange = resolve;
  });
}

async function collect(call: Call): Promise<string[]> {
  const answers: string[] = [];
  for (;;) {
    const next = changed(call);
    const taken = call?.take() ?? [];
    answers.push(...taken);
    if (call === undefined || call.hasEnded) return answers;
    if (taken.length === 0) await next;
  }
}

function frame(text: string): Buffer {
  const framed = Buffer.alloc(5 + text.length);
  framed.writeUInt32BE(text.length, 1);
  framed.write(text, 5);
  return framed;
}
