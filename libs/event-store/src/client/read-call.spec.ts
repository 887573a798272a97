import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { connectivityState, Metadata, status } from '@grpc/grpc-js';
import type { CallListener } from './channel-watch.js';
import { READ_IDLE_MS } from '../streams/limits.js';
import { ReadCall } from './read-call.js';

/** A call as gRPC makes one, which is answered by the test. */
class ScriptedCall extends Readable {
  readonly cancel = jest.fn();
  readonly end = jest.fn();

  constructor() {
    super({ objectMode: true, read: () => undefined });
  }
}

const call = () => new ScriptedCall();

/** A client whose connection is there when `connected` is. */
function clientFor(made: ScriptedCall, connected: Promise<void> = Promise.resolve()) {
  const disposableStreams = new Set<unknown>();
  const handleError = jest.fn(() => Promise.resolve());
  // No connection is there yet, so that the channel makes the call.
  const getChannel = () => ({ internalChannel: { doPick: () => ({ subchannel: null }) } });
  const stub = { getChannel, makeBidiStreamRequest: () => made };
  const getGRPCClient = () => connected.then(() => stub);
  const internals = {
    disposableStreams,
    handleError,
    getGRPCClient,
    callArguments: () => [undefined, {}],
  };
  // What of the client a call uses.
  const client = internals as unknown as EventStoreDBClient;
  return { client, ...internals };
}

/** A client with a connection, on which calls wait for `end`. */
function connectedClient() {
  const raw = {
    cancelWithStatus: jest.fn(),
    sendMessageWithContext: jest.fn(),
    halfClose: jest.fn(),
    startRead: jest.fn(),
  };
  let end: () => void = () => undefined;
  const createCall = (_: unknown, __: unknown, ___: unknown, listener: CallListener) => {
    end = () =>
      listener.onReceiveStatus({ code: status.OK, details: '', metadata: new Metadata() });
    return raw;
  };
  const subchannel = {
    getConnectivityState: () => connectivityState.READY,
    getRealSubchannel: () => ({ createCall }),
  };
  const getChannel = () => ({ internalChannel: { doPick: () => ({ subchannel }) } });
  const disposableStreams = new Set<unknown>();
  const internals = {
    disposableStreams,
    getGRPCClient: () => Promise.resolve({ getChannel }),
    callArguments: () => [new Metadata(), {}],
  };
  // What of the client a call uses.
  const client = internals as unknown as EventStoreDBClient;
  return { client, disposableStreams, raw, end: () => end() };
}

const REQUEST = Buffer.from('request');

describe('a call that reads', () => {
  afterEach(() => void jest.useRealTimers());

  it('gives at once what has come together, and nothing more at its end', async () => {
    const made = call();
    const read = await ReadCall.open(clientFor(made).client, REQUEST);
    for (const answer of ['a', 'b']) made.push(answer);
    expect(await read.next()).toEqual(['a', 'b']);
    made.push(null);
    expect(await read.next()).toEqual([]);
  });

  it('gives what came before an error, then the error, and has the client look at it', async () => {
    const made = call();
    const { client, handleError } = clientFor(made);
    const read = await ReadCall.open(client, REQUEST);
    made.push('a');
    made.emit('error', new Error('gone'));
    expect(await read.next()).toEqual(['a']);
    await expect(read.next()).rejects.toThrow('gone');
    expect(handleError).toHaveBeenCalledTimes(1);
  });

  it('is canceled with its client for as long as it is open', async () => {
    const made = call();
    const { client, disposableStreams } = clientFor(made);
    await ReadCall.open(client, REQUEST);
    expect([...disposableStreams]).toEqual([made]);
    made.emit('status', {});
    expect([...disposableStreams]).toEqual([]);
  });

  it('made on the connection itself is canceled with its client, too', async () => {
    const { client, disposableStreams, raw, end } = connectedClient();
    await ReadCall.open(client, REQUEST);
    const [open] = disposableStreams;
    // What the client does with all that it knows no better.
    (open as { destroy(): void }).destroy();
    expect(raw.cancelWithStatus).toHaveBeenCalledTimes(1);
    end();
    expect([...disposableStreams]).toEqual([]);
  });

  it('is canceled where it is left before its end', async () => {
    const made = call();
    (await ReadCall.open(clientFor(made).client, REQUEST)).leave(true);
    await turn();
    expect(made.cancel).toHaveBeenCalledTimes(1);
  });

  it('is read to its end, and not canceled, where no more is to come', async () => {
    const made = call();
    const read = await ReadCall.open(clientFor(made).client, REQUEST);
    for (const answer of ['a', null]) made.push(answer);
    read.leave(false);
    await turn();
    expect(made.cancel).not.toHaveBeenCalled();
    expect(made.readableEnded).toBe(true);
  });

  it('whose connection comes too late is canceled', async () => {
    jest.useFakeTimers();
    const made = call();
    const connection = new EventEmitter();
    const connected = once(connection, 'connect').then(() => undefined);
    const opening = ReadCall.open(clientFor(made, connected).client, REQUEST);
    const refused = expect(opening).rejects.toThrow('the event store');
    await jest.advanceTimersByTimeAsync(READ_IDLE_MS);
    await refused;
    connection.emit('connect');
    await jest.advanceTimersByTimeAsync(1);
    expect(made.cancel).toHaveBeenCalledTimes(1);
  });
});
