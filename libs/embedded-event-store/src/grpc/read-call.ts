import { randomUUID } from 'node:crypto';
import type { Reader } from '../read/reader.js';
import { follow } from '../read/subscriber.js';
import { WakeUp } from '../read/wake-up.js';
import { readReadRequest, type ReadRequest } from '../protobuf/read-request.js';
import { encodeConfirmation } from '../protobuf/read-response.js';
import { CallSink, type ReadCall } from './calls.js';
import type { OpenCalls } from './open-calls.js';
import { toCallStatus, streamDeletedStatus } from './status.js';

/** Serves `Read`: reads that end, and subscriptions. */
export function readHandler(reader: Reader, openCalls: OpenCalls): (call: ReadCall) => void {
  return (call) => {
    let wakeUp: WakeUp | undefined;
    const sink = new CallSink(call, () => {
      openCalls.delete(sink);
      wakeUp?.ring();
    });
    openCalls.add(sink);
    void serve(call.request);

    async function serve(bytes: Buffer): Promise<void> {
      try {
        const request = readReadRequest(bytes);
        const end = await (request.count === undefined
          ? subscribe(request)
          : reader.read(request, request.count, sink));
        if (end === 'stream-deleted') sink.fail(streamDeletedStatus(request.streamName ?? ''));
        else sink.end();
      } catch (error) {
        sink.fail(toCallStatus(error));
      }
    }

    async function subscribe(request: ReadRequest): Promise<'done' | 'stream-deleted'> {
      wakeUp = new WakeUp(reader.log.signal, request.streamName);
      try {
        if (!(await sink.send(encodeConfirmation(randomUUID())))) return 'done';
        return await follow(reader, request, wakeUp, sink);
      } finally {
        wakeUp.stop();
      }
    }
  };
}
