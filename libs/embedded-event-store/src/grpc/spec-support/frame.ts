/** A message of gRPC as it is sent: whether it is compressed, its length, its bytes. */
export function frame(body: Buffer | string, isCompressed = false): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.writeUInt8(isCompressed ? 1 : 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
