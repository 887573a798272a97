import operations from '@eventstore/db-client/generated/operations_pb.js';
import type { Scavenger } from '../scavenge/scavenger.js';
import type { CallHandler } from './grpc-server.js';
import { service, withRequest } from './services.js';

/** Of EventStoreDB's operations, the one that a single store has. */
export const OPERATIONS_SERVICE = service('event_store.client.operations.Operations', {
  startScavenge: 'StartScavenge',
});

const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult;

/** Serves `StartScavenge`, whose options are about chunks of a log, and are not read. */
export function startScavengeHandler(scavenger: Scavenger): CallHandler {
  return withRequest((call) => {
    const { id, isNew } = scavenger.start();
    const response = new operations.ScavengeResp();
    response.setScavengeId(id);
    response.setScavengeResult(isNew ? STARTED : INPROGRESS);
    call.end(Buffer.from(response.serializeBinary()));
  });
}
