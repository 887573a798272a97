import { describe, expect, it } from 'vitest';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { appendRequest } from './append-request.js';
import type { EventToAppend, ExpectedRevision } from '../../streams/event-store.js';

const metadata = {
  $correlationId: 'c',
  actor: 'app',
  appId: 'app_1',
  environment: 'test',
  occurredAt: '2026-01-31T10:00:00.000Z',
} as const;

const event = (data: unknown): EventToAppend => ({
  id: '6f1d8c0e-5a3b-4b7e-9c42-d0a8e4f7b615',
  type: 'counter.added.v1',
  data,
  metadata,
});

/** Our bytes as the generated classes read them, which every other client uses. */
function read(bytes: Uint8Array) {
  const request = streams.BatchAppendReq.deserializeBinary(bytes);
  const options = request.getOptions();
  return {
    correlationId: request.getCorrelationId()?.getString(),
    isFinal: request.getIsFinal(),
    stream: Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    expected: options?.getExpectedStreamPositionCase(),
    revision: options?.getStreamPosition(),
    deadlineMs: options?.getDeadline()?.toDate().getTime(),
    events: request.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString(),
      type: message.getMetadataMap().get('type'),
      contentType: message.getMetadataMap().get('content-type'),
      data: JSON.parse(Buffer.from(message.getData_asU8()).toString()) as unknown,
      metadata: JSON.parse(Buffer.from(message.getCustomMetadata_asU8()).toString()) as unknown,
    })),
  };
}

/** Any character: fast-check's own unit `binary` takes half a second to write a table of them. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Of any characters, and often longer than the two bytes that a length takes beyond 16,383. */
const text = fc
  .tuple(fc.string({ unit: character, maxLength: 100 }), fc.constantFrom(1, 2, 100, 200))
  .map(([piece, times]) => piece.repeat(times));

const CASES = streams.BatchAppendReq.Options.ExpectedStreamPositionCase;

describe('the bytes of an append', () => {
  it.each<[ExpectedRevision, number, string]>([
    [0, CASES.STREAM_POSITION, '0'],
    [127, CASES.STREAM_POSITION, '127'],
    [128, CASES.STREAM_POSITION, '128'],
    [2 ** 40, CASES.STREAM_POSITION, String(2 ** 40)],
    ['any', CASES.ANY, '0'],
    ['no_stream', CASES.NO_STREAM, '0'],
  ])('say that the stream is expected at %j', (expected, expectedCase, revision) => {
    const bytes = appendRequest('id', 'counter-ä', expected, [event({})], 2000);
    expect(read(bytes)).toMatchObject({
      correlationId: 'id',
      isFinal: true,
      stream: 'counter-ä',
      expected: expectedCase,
      revision,
    });
  });

  it('carry a deadline from now', () => {
    const before = Date.now();
    const { deadlineMs = 0 } = read(appendRequest('id', 's', 'any', [event({})], 2000));
    expect(deadlineMs).toBeGreaterThanOrEqual(before + 2000);
    expect(deadlineMs).toBeLessThanOrEqual(Date.now() + 2000);
  });

  it('carry all events, whatever is in them and however long they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text }), {
          minLength: 1,
          maxLength: 5,
        }),
        (payloads) => {
          const { events } = read(appendRequest('id', 's', 1, payloads.map(event), 2000));
          expect(events).toEqual(
            payloads.map((data) => ({
              id: event(data).id,
              type: 'counter.added.v1',
              contentType: 'application/json',
              data: JSON.parse(JSON.stringify(data)) as unknown,
              metadata,
            })),
          );
        },
      ),
    );
  });
});
