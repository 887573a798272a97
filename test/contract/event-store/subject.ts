/**
 * The store that the conformance suite runs against: the node that ESDB_URL names, or the embedded server. A node may
 * be shared and full of other people's events: streams have random names, and nothing is assumed about other events in
 * $all.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll } from 'vitest';
import {
  EventStoreDBClient,
  jsonEvent,
  type AllStreamResolvedEvent,
  type JSONEventData,
  type ResolvedEvent,
} from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import { startEventStore } from '#embedded-event-store';
import {
  channelCredentials,
  parseHost,
  parseConnectionString,
} from '../../support/connection-string.js';

export interface Subject {
  readonly connectionString: string;
  readonly client: EventStoreDBClient;
  /** The generated stubs, for calls that the client can't make. */
  readonly raw: InstanceType<typeof grpcStubs.StreamsClient>;
  stop(): Promise<void>;
}

/** Gives a file of tests the node under test. */
export function useSubject(): Subject {
  // Filled before the first test runs; tests are the only ones that look.
  const subject = {} as Subject;
  beforeAll(async () => void Object.assign(subject, await startSubject()));
  afterAll(async () => subject.stop());
  return subject;
}

/** Connects to the node under test, starting the embedded one if no other is named. */
async function startSubject(): Promise<Subject> {
  const named = process.env['ESDB_URL'];
  if (named !== undefined && named !== '') return subjectAt(named, async () => undefined);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-contract-'));
  const store = await startEventStore({ port: 0, dataDir });
  return subjectAt(store.connectionString, async () => {
    await store.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

function subjectAt(connectionString: string, stopNode: () => Promise<void>): Subject {
  const client = EventStoreDBClient.connectionString(connectionString);
  const raw = rawClient(connectionString);
  const stop = async (): Promise<void> => {
    raw.close();
    await client.dispose();
    await stopNode();
  };
  return { connectionString, client, raw, stop };
}

/** A client without the library. */
export function rawClient(connectionString: string): InstanceType<typeof grpcStubs.StreamsClient> {
  return new grpcStubs.StreamsClient(
    parseHost(connectionString),
    channelCredentials(connectionString),
  );
}

/**
 * Credentials of its own make the client use the older call, Append, for an append; without TLS they are
 * not even sent.
 */
export function olderCall({ connectionString }: Pick<Subject, 'connectionString'>) {
  return { credentials: parseConnectionString(connectionString).user };
}

export function uniqueStream(about = 'contract'): string {
  return `${about}_${randomUUID().replaceAll('-', '')}-1`;
}

export function event(data: object = {}, type = 'contract.tested.v1'): JSONEventData {
  return jsonEvent({ type, data: { ...data } });
}

export function events(count: number): JSONEventData[] {
  return Array.from({ length: count }, (_, n) => event({ n }));
}

/** Everything that a read answers with. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** The first `count` items of a subscription, which is then ended. */
export async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  if (count === 0) return taken;
  for await (const item of source) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

export function listRevisions(read: readonly ResolvedEvent[]): number[] {
  return read.map((resolved) => Number(resolved.event?.revision));
}

export function ofStream(
  read: readonly AllStreamResolvedEvent[],
  streamName: string,
): AllStreamResolvedEvent[] {
  return read.filter((resolved) => resolved.event?.streamId === streamName);
}

/** `ReadReq` options that every request needs; `all` unless a stream is set. */
export function readOptions(uuid: 'string' | 'structured' = 'string'): streams.ReadReq.Options {
  const options = new streams.ReadReq.Options();
  const uuidOption = new streams.ReadReq.Options.UUIDOption();
  if (uuid === 'string') uuidOption.setString(new shared.Empty());
  else uuidOption.setStructured(new shared.Empty());
  options.setUuidOption(uuidOption);
  options.setNoFilter(new shared.Empty());
  return options;
}

/** A request to follow $all, or the stream of the options, for ever. */
export function subscriptionRequest(options: streams.ReadReq.Options): streams.ReadReq {
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
}

export function streamTarget(streamName: string): streams.ReadReq.Options.StreamOptions {
  const target = new streams.ReadReq.Options.StreamOptions();
  target.setStreamIdentifier(identifier(streamName));
  target.setStart(new shared.Empty());
  return target;
}

export function identifier(streamName: string): shared.StreamIdentifier {
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(streamName));
  return name;
}

/** Runs a raw read to its end; rejects with its status if it fails or is not over at `deadline`. */
export async function rawRead(
  subject: Pick<Subject, 'raw'>,
  options: streams.ReadReq.Options,
  deadline = Infinity,
): Promise<streams.ReadResp[]> {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return collect(subject.raw.read(request, { deadline }) as AsyncIterable<streams.ReadResp>);
}

/** The status that a promise is refused with. */
export async function failureStatus(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('The call succeeded, though it should have been refused.');
}
