import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/operations_grpc_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import { channelCredentials, parseHost } from '../../../support/connection-string.js';

/** Starts a scavenge as any client of EventStoreDB does. */
export async function startScavenge({
  connectionString,
}: {
  readonly connectionString: string;
}): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const client = new grpcStubs.OperationsClient(
    parseHost(connectionString),
    channelCredentials(connectionString),
  );
  const request = new operations.StartScavengeReq();
  request.setOptions(new operations.StartScavengeReq.Options());
  try {
    const response = await new Promise<operations.ScavengeResp>((resolve, reject) => {
      client.startScavenge(request, (error, answer) => {
        if (error) reject(error);
        else resolve(answer);
      });
    });
    const { STARTED } = operations.ScavengeResp.ScavengeResult;
    return { id: response.getScavengeId(), isNew: response.getScavengeResult() === STARTED };
  } finally {
    client.close();
  }
}

/** Waits for the end of a scavenge. @returns the data of its last event. */
export async function readEnd(
  client: EventStoreDBClient,
  id: string,
): Promise<Record<string, unknown>> {
  const subscription = client.subscribeToStream(`$scavenges-${id}`, { fromRevision: 'start' });
  for await (const { event } of subscription) {
    // The data of a scavenge are JSON.
    if (event?.type === '$scavengeCompleted') return event.data as Record<string, unknown>;
  }
  throw new Error(`scavenge ${id} did not end`);
}
