import type { ServerHttp2Stream } from 'node:http2';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Call } from './call.js';
import { frame } from './spec-support/frame.js';
import { GrpcCode } from './status.js';

/** As much of a stream of HTTP/2 as a call asks for. */
class FakeStream extends PassThrough {
  headersSent = false;
  headers: Record<string, unknown> = {};

  respond(headers: Record<string, unknown>): void {
    // As Node does of a stream that is gone.
    if (this.closed || this.destroyed) throw new Error('The stream has been destroyed');
    this.headersSent = true;
    this.headers = headers;
  }
}

function openCall() {
  const stream = new FakeStream();
  const call = new Call(stream as unknown as ServerHttp2Stream, {});
  const seen: string[] = [];
  call.onMessage = (message) => seen.push(message.toString());
  call.onEnd = () => seen.push('end');
  call.onOver = () => seen.push('over');
  return { stream, call, seen };
}

it('reads nothing behind what it has failed for, of the same piece', () => {
  const { stream, call, seen } = openCall();
  call.onMessage = (message) => {
    seen.push(message.toString());
    call.fail({ code: GrpcCode.INTERNAL, details: 'enough' });
  };
  stream.emit('data', Buffer.concat([frame('one'), frame('two')]));
  expect(seen).toEqual(['one', 'over']);
  expect(stream.headers).toMatchObject({ 'grpc-status': GrpcCode.INTERNAL });
});

it('is over when it is cut, and lets its stream go, also a paused one', () => {
  const { stream, call, seen } = openCall();
  stream.emit('data', frame('one'));
  call.pause();
  stream.emit('aborted');
  stream.emit('end');
  expect(seen).toEqual(['one', 'over']);
  expect(stream.destroyed).toBe(true);
});

it('sends no status to a client that is gone, though the end of its stream has not come here yet', () => {
  const { stream, call, seen } = openCall();
  stream.destroy();
  call.fail({ code: GrpcCode.INTERNAL, details: 'too late' });
  expect(stream.headersSent).toBe(false);
  // The end of the stream tells it.
  expect(seen).toEqual([]);
  stream.emit('close');
  expect(seen).toEqual(['over']);
});
