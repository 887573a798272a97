import type { Readable } from 'node:stream';

/** Of a message on the wire: whether it is compressed, and its length. */
const PREFIX_BYTES = 5;

export function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Calls back with every message of a call, however its bytes are divided. */
export function readFrames(stream: Readable, onMessage: (message: Buffer) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= PREFIX_BYTES) {
      const end = PREFIX_BYTES + bytes.readUInt32BE(1);
      if (bytes.length < end) break;
      onMessage(bytes.subarray(PREFIX_BYTES, end));
      bytes = bytes.subarray(end);
    }
  });
}
