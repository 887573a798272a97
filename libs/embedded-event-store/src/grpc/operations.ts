import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import type { Scavenger } from '../scavenge/scavenger.js';
import type { Answer, UnaryCall } from './calls.js';
import { service } from './services.js';
import { toCallStatus } from './status.js';

/** Of EventStoreDB's operations, the one that a single store has. */
export const OPERATIONS_SERVICE = service('event_store.client.operations.Operations', {
  startScavenge: { name: 'StartScavenge', requestStream: false, responseStream: false },
});

const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult;

/** Serves `StartScavenge`, whose options are about chunks of a log, and are not read. */
export function operationsHandlers(scavenger: Scavenger): UntypedServiceImplementation {
  return {
    startScavenge: (_call: UnaryCall, answer: Answer) => {
      try {
        const { id, isNew } = scavenger.start();
        const response = new operations.ScavengeResp();
        response.setScavengeId(id);
        response.setScavengeResult(isNew ? STARTED : INPROGRESS);
        answer(null, Buffer.from(response.serializeBinary()));
      } catch (error) {
        answer(toCallStatus(error));
      }
    },
  };
}
