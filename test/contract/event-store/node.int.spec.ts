/** A node's account of itself. */
import { beforeAll, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import emptyProto from '@eventstore/db-client/generated/shared_pb.js';
import featuresStubs from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossipStubs from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { type ChannelCredentials, Client, status } from '@grpc/grpc-js';
import { channelCredentials, parseHost } from '../../support/connection-string.js';
import { event, useSubject, failureStatus, uniqueStream } from './subject.js';

const subject = useSubject();
let host: string;
let channel: ChannelCredentials;
beforeAll(async () => {
  host = parseHost(subject.connectionString);
  channel = channelCredentials(subject.connectionString);
});

it('offers batches and reads, and names its version in three numbers', async () => {
  const client = new featuresStubs.ServerFeaturesClient(host, channel);
  const supported = await new Promise<features.SupportedMethods>((resolve, reject) => {
    client.getSupportedMethods(new emptyProto.Empty(), (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
  client.close();
  expect(supported.getEventStoreServerVersion()).toMatch(/^\d+\.\d+\.\d+/);
  const methods = supported
    .getMethodsList()
    .map((method) => `${method.getServiceName()}/${method.getMethodName()}`);
  for (const method of ['append', 'batchappend', 'read', 'delete', 'tombstone']) {
    expect(methods).toContain(`event_store.client.streams.streams/${method}`);
  }
});

it('gossips about a leader that is alive', async () => {
  const client = new gossipStubs.GossipClient(host, channel);
  const cluster = await new Promise<gossip.ClusterInfo>((resolve, reject) => {
    client.read(new emptyProto.Empty(), (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
  client.close();
  const [leader] = cluster
    .getMembersList()
    .filter((member) => member.getState() === gossip.MemberInfo.VNodeState.LEADER);
  expect(leader?.getIsAlive()).toBe(true);
  expect(leader?.getHttpEndPoint()?.getPort()).toBeGreaterThan(0);
});

it('is found by discovery', async () => {
  const discover = subject.connectionString.replace(/^esdb:/, 'esdb+discover:');
  const client = EventStoreDBClient.connectionString(discover);
  const result = await client.appendToStream(uniqueStream(), [event()]);
  expect(result.success).toBe(true);
  await client.dispose();
});

it('answers unknown services with UNIMPLEMENTED', async () => {
  const client = new Client(host, channel);
  const asIs = (bytes: Buffer): Buffer => bytes;
  const error = await failureStatus(
    new Promise((resolve, reject) => {
      const path = '/event_store.client.nothing.Nothing/Do';
      client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), (failure, answer) => {
        if (failure) reject(failure);
        else resolve(answer);
      });
    }),
  );
  client.close();
  expect(error.code).toBe(status.UNIMPLEMENTED);
});
