import { once } from 'node:events';
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import google from '@eventstore/db-client/generated/status_pb.js';
import { frame, readFrames } from './grpc-frames.js';

/**
 * How a node behaves.
 *
 * - `leader`: it passes everything to the store; `late`: the same, but each answer comes late.
 * - `follower`: calls for the leader are answered with the one it knows; other calls pass.
 * - `electing`: it has no leader: "Server Is Not Ready".
 * - `mute`: it takes appends and never answers them; to reads it names the leader.
 */
export type Role = 'leader' | 'late' | 'follower' | 'electing' | 'mute';

/** A node's view of its cluster. */
export interface ClusterView {
  leaderPort(): number;
  /** An encoded `ClusterInfo`. */
  gossip(): Buffer;
}

const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';
const GOSSIP = '/event_store.client.gossip.Gossip/Read';
const LATE_MS = 300;
const ANSWER = { ':status': 200, 'content-type': 'application/grpc' };

/** A node of a cluster that has one store: it answers as a node of EventStoreDB in its role does. */
export class ClusterNode {
  role: Role = 'follower';
  readonly #server = http2.createServer();
  readonly #store: http2.ClientHttp2Session;
  readonly #view: ClusterView;
  readonly #sessions = new Set<http2.ServerHttp2Session>();

  private constructor(storePort: number, view: ClusterView) {
    this.#view = view;
    this.#store = http2.connect(`http://127.0.0.1:${storePort}`).on('error', () => undefined);
    this.#server
      .on('session', (session) => {
        this.#sessions.add(session);
        session.on('error', () => undefined).on('close', () => this.#sessions.delete(session));
      })
      .on('stream', (stream, headers) => {
        stream.on('error', () => undefined);
        this.#serve(stream, headers);
      });
  }

  static async before(storePort: number, view: ClusterView): Promise<ClusterNode> {
    const node = new ClusterNode(storePort, view);
    node.#server.listen(0, '127.0.0.1');
    await once(node.#server, 'listening');
    return node;
  }

  get port(): number {
    // It listens at a port of its own, which its address names.
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.#store.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const path = headers[':path'];
    const isServed = headers['requires-leader'] !== 'true' || this.#leads();
    const takesAppends = isServed || this.role === 'electing' || this.role === 'mute';
    if (path === GOSSIP) answer(stream, this.#view.gossip());
    else if (path === BATCH_APPEND && takesAppends) this.#passAppends(stream, headers);
    else if (isServed) this.#pass(stream, headers);
    else if (this.role === 'electing') refuse(stream, 14, NOT_READY);
    else refuse(stream, 5, notLeader(this.#view.leaderPort()));
  }

  #leads(): boolean {
    return this.role === 'leader' || this.role === 'late';
  }

  /** Such a call outlives the role in which it was begun, so it is looked at append by append. */
  #passAppends(near: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    let ending: IncomingHttpHeaders = { 'grpc-status': '0' };
    near.respond(ANSWER, { waitForTrailers: true });
    near.on('wantTrailers', () => near.sendTrailers(ending));
    const far = this.#store.request(headers).on('error', () => near.destroy());
    near.on('close', () => far.close());
    far.on('trailers', (trailers: IncomingHttpHeaders) => (ending = trailers));
    void this.#passAnswers(far, near);
    readFrames(near, (request) => {
      if (this.#leads()) far.write(frame(request));
      if (this.role === 'electing') near.write(frame(notReady(request)));
      if (this.role !== 'follower') return;
      ending = { 'grpc-status': '5', ...notLeader(this.#view.leaderPort()) };
      near.end();
    });
  }

  #pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const far = this.#store.request(headers).on('error', () => stream.destroy());
    stream.pipe(far);
    stream.on('close', () => far.close());
    far.on('response', (first, flags) => {
      if (stream.destroyed) return;
      const isEnd = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(first, isEnd ? { endStream: true } : { waitForTrailers: true });
      if (isEnd) return;
      let ending: IncomingHttpHeaders = {};
      far.on('trailers', (trailers: IncomingHttpHeaders) => (ending = trailers));
      stream.on('wantTrailers', () => stream.sendTrailers(ending));
      void this.#passAnswers(far, stream);
    });
  }

  async #passAnswers(far: AsyncIterable<Buffer>, near: ServerHttp2Stream): Promise<void> {
    try {
      for await (const chunk of far) {
        if (this.role === 'late') await pause(LATE_MS);
        if (!near.destroyed) near.write(chunk);
      }
    } catch {
      // Either end may be gone.
    }
    if (!near.destroyed) near.end();
  }
}

function answer(stream: ServerHttp2Stream, message: Buffer): void {
  stream.respond(ANSWER, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame(message));
}

function refuse(stream: ServerHttp2Stream, code: number, more: Record<string, string>): void {
  stream.respond({ ...ANSWER, 'grpc-status': String(code), ...more }, { endStream: true });
}

const NOT_READY = { 'grpc-message': 'Server%20Is%20Not%20Ready' };

function notLeader(port: number): Record<string, string> {
  return {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(port),
  };
}

/** A real node's answer to one append while it has no leader: without a code, and without details. */
function notReady(request: Buffer): Buffer {
  const asked = streams.BatchAppendReq.deserializeBinary(request);
  const error = new google.Status();
  error.setMessage('Server Is Not Ready');
  const reply = new streams.BatchAppendResp();
  reply.setCorrelationId(asked.getCorrelationId());
  reply.setError(error);
  return Buffer.from(reply.serializeBinary());
}
