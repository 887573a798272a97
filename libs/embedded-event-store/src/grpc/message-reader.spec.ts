import { expect, it } from 'vitest';
import { MAX_RECEIVE_BYTES } from '../limits.js';
import { MessageReader } from './message-reader.js';
import { frame } from './spec-support/frame.js';
import { GrpcCode } from './status.js';

function openReader(): { reader: MessageReader; taken: string[] } {
  const taken: string[] = [];
  return { reader: new MessageReader((message) => taken.push(message.toString())), taken };
}

const MESSAGES = ['one', '', 'three'];
const BYTES = Buffer.concat(MESSAGES.map((text) => frame(text)));

it.each(Array.from({ length: BYTES.length }, (_, n) => n + 1))(
  'finds messages that arrive %i bytes at a time',
  (step) => {
    const { reader, taken } = openReader();
    for (let at = 0; at < BYTES.length; at += step) {
      expect(reader.push(BYTES.subarray(at, at + step))).toBeUndefined();
    }
    expect(taken).toEqual(MESSAGES);
    expect(reader.isWithinMessage).toBe(false);
  },
);

it('knows that it is within a message', () => {
  const { reader } = openReader();
  reader.push(BYTES.subarray(0, BYTES.length - 1));
  expect(reader.isWithinMessage).toBe(true);
});

it('refuses a message by its length alone', () => {
  const { reader, taken } = openReader();
  const head = Buffer.alloc(5);
  head.writeUInt32BE(MAX_RECEIVE_BYTES + 1, 1);
  const refused = reader.push(Buffer.concat([frame('one'), head]));
  expect(refused?.code).toBe(GrpcCode.RESOURCE_EXHAUSTED);
  expect(taken).toEqual(['one']);
});

it('refuses a message that is compressed', () => {
  const { reader } = openReader();
  const compressed = frame('one');
  compressed[0] = 1;
  expect(reader.push(compressed)?.code).toBe(GrpcCode.UNIMPLEMENTED);
});

it('holds a copy of a message that has begun, and nothing of the pieces that it came in', () => {
  const { reader, taken } = openReader();
  const pieces = [...frame('in pieces')].map((byte) => Buffer.from([byte]));
  for (const piece of pieces) {
    reader.push(piece);
    piece.fill(0);
  }
  expect(taken).toEqual(['in pieces']);
});

it('gives messages that do not share the bytes they arrived in', () => {
  const chunk = frame('one');
  const messages: Buffer[] = [];
  new MessageReader((message) => messages.push(message)).push(chunk);
  chunk.fill(0);
  expect(messages.map(String)).toEqual(['one']);
});
