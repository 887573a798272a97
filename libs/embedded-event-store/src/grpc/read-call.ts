import { randomUUID } from 'node:crypto';
import { follow } from '../read/subscriber.js';
import type { Reader } from '../read/reader.js';
import { WakeUp } from '../append/commit-signal.js';
import { readReadRequest, type ReadRequest } from '../protobuf/read-request.js';
import { encodeConfirmation } from '../protobuf/read-response.js';
import type { Call, OpenCalls } from './call.js';
import type { CallHandler } from './grpc-server.js';
import { withRequest } from './services.js';
import { streamDeletedStatus } from './status.js';

/** Serves `Read`: reads that end, and subscriptions. */
export function readHandler(reader: Reader, openCalls: OpenCalls): CallHandler {
  return withRequest(async (call, bytes) => {
    const request = readReadRequest(bytes);
    openCalls.add(call);
    call.onOver = () => openCalls.delete(call);
    const end = await (request.count === undefined
      ? subscribe(reader, request, call, openCalls)
      : reader.read(request, request.count, call));
    if (end === 'stream-deleted') call.fail(streamDeletedStatus(request.streamName ?? ''));
    else call.end();
  });
}

async function subscribe(
  reader: Reader,
  request: ReadRequest,
  call: Call,
  openCalls: OpenCalls,
): Promise<'done' | 'stream-deleted'> {
  const wakeUp = new WakeUp(reader.log.signal, request.streamName);
  call.onOver = () => {
    openCalls.delete(call);
    wakeUp.ring();
  };
  try {
    void call.send(encodeConfirmation(randomUUID()));
    return await follow(reader, request, wakeUp, call);
  } finally {
    wakeUp.stop();
  }
}
