import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { type ChannelInterface, connectivityState, Metadata, status } from '@grpc/grpc-js';
import { WatchedChannel } from '../failover/index.js';
import type { CallListener } from '../grpc-internals.js';
import { StoreConnection } from './store-connection.js';

const METHOD = { path: '/test/Read', read: String };
const OPTIONS = { requiresLeader: true, limitMs: 20, request: Buffer.from('request') };

/** A client with a connection, on which calls wait for `end`. */
function connectedClient(connected: Promise<void> = Promise.resolve()) {
  const raw = {
    cancelWithStatus: vi.fn(),
    sendMessageWithContext: vi.fn(),
    halfClose: vi.fn(),
    startRead: vi.fn(),
  };
  let end: (code: status) => void = () => undefined;
  const createCall = (_: unknown, __: unknown, ___: unknown, listener: CallListener) => {
    end = (code) => listener.onReceiveStatus({ code, details: '', metadata: new Metadata() });
    return raw;
  };
  const subchannel = {
    getConnectivityState: () => connectivityState.READY,
    getRealSubchannel: () => ({ createCall }),
  };
  // The part of grpc-js's channel that a call uses.
  const inner: unknown = {
    getConnectivityState: () => connectivityState.READY,
    internalChannel: { doPick: () => ({ subchannel }) },
  };
  const channel = new WatchedChannel(inner as ChannelInterface, {
    ...{ tickMs: 60_000, isCluster: false, fruitless: { dials: 0, silences: 0 } },
    probe: () => new Promise(() => undefined),
    onNotLeader: () => Promise.resolve(),
  });
  const disposableStreams = new Set<{ destroy(): void }>();
  const handleError = vi.fn((_stub: unknown, _error: unknown) => Promise.resolve());
  const internals = {
    ...{ disposableStreams, handleError },
    getGRPCClient: () => connected.then(() => ({ getChannel: () => channel })),
    callArguments: () => [new Metadata(), {}],
  };
  // The part of the client that a connection uses.
  const store = new StoreConnection(internals as unknown as EventStoreDBClient);
  return { store, disposableStreams, handleError, raw, end: (code: status) => end(code) };
}

it('has a call canceled with its client for as long as the call is open', async () => {
  const { store, disposableStreams, raw, end } = connectedClient();
  await store.open(METHOD, OPTIONS);
  for (const open of disposableStreams) open.destroy();
  expect(raw.cancelWithStatus).toHaveBeenCalledTimes(1);
  end(status.OK);
  expect([...disposableStreams]).toEqual([]);
});

it('has the client look at the error of a call', async () => {
  const { store, handleError, end } = connectedClient();
  const call = await store.open(METHOD, OPTIONS);
  end(status.UNAVAILABLE);
  expect(handleError).toHaveBeenCalledWith(expect.anything(), call.error);
});

it('cancels a call that is left before its end, and no other', async () => {
  const { store, raw } = connectedClient();
  (await store.open(METHOD, OPTIONS)).leave(false);
  expect(raw.cancelWithStatus).not.toHaveBeenCalled();
  (await store.open(METHOD, OPTIONS)).leave(true);
  expect(raw.cancelWithStatus).toHaveBeenCalledTimes(1);
});

it('cancels a call whose connection comes too late', async () => {
  let connect: () => void = () => undefined;
  const { store, raw } = connectedClient(new Promise((resolve) => (connect = resolve)));
  await expect(store.open(METHOD, OPTIONS)).rejects.toThrow('the event store');
  connect();
  await turn();
  expect(raw.cancelWithStatus).toHaveBeenCalledTimes(1);
});
