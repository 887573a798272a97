import { describe, expect, it } from 'vitest';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import {
  encodeRecord,
  readContent,
  TOMBSTONE_REVISION,
  type LoggedRecord,
  type ProposedEvent,
} from '../storage/record.js';
import { readProposedEvent } from './append-messages.js';
import { encodeReadEvent, type ReadRecord } from './read-response.js';
import { uuidFromText, uuidToText } from '../uuid.js';
import { ProtobufReader } from '#platform/protobuf';

const ID = '01234567-89ab-4def-8123-456789abcdef';

/** Any character: fast-check's own unit `binary` takes half a second to write a table of them. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

const proposed: fc.Arbitrary<ProposedEvent> = fc.record({
  id: fc.uuid().map((text) => uuidFromText(text)),
  type: fc.string({ unit: character, minLength: 1 }),
  isJson: fc.boolean(),
  metadata: fc.uint8Array(),
  data: fc.uint8Array({ maxLength: 5000 }),
});
const wellFormed = fc.string({ unit: character, minLength: 1 });

describe('an event on the wire', () => {
  it('reads the same for the generated code as it was proposed', () => {
    const revisions = fc.integer({ min: 0, max: 2 ** 40 });
    const positions = fc.integer({ min: 1, max: 2 ** 47 });
    const check = fc.property(
      proposed,
      wellFormed,
      revisions,
      positions,
      (event, stream, at, position) => {
        const record = encodeRecord(stream, event, {
          position,
          revision: at,
          createdMs: 1_700_000_000_123,
        });
        const bytes = encodeReadEvent({ event: opened({ position, record }) }, 'string');
        const read = streams.ReadResp.deserializeBinary(bytes).getEvent()!;
        const recorded = read.getEvent()!;
        expect(read.getCommitPosition()).toBe(String(position));
        expect(recorded.getCommitPosition()).toBe(String(position));
        expect(recorded.getPreparePosition()).toBe(String(position));
        expect(recorded.getStreamRevision()).toBe(String(at));
        expect(recorded.getId()?.getString()).toBe(uuidToText(event.id));
        const name = Buffer.from(recorded.getStreamIdentifier()!.getStreamName_asU8());
        expect(name.toString()).toBe(stream);
        const properties = recorded.getMetadataMap();
        expect(properties.get('type')).toBe(event.type);
        expect(properties.get('content-type')).toBe(
          event.isJson ? 'application/json' : 'application/octet-stream',
        );
        expect(properties.get('created')).toBe('17000000001230000');
        expect(Buffer.from(recorded.getData_asU8())).toEqual(Buffer.from(event.data));
        expect(Buffer.from(recorded.getCustomMetadata_asU8())).toEqual(Buffer.from(event.metadata));
      },
    );
    fc.assert(check, { numRuns: 200 });
  });

  it('gives a tombstone the largest revision there is', () => {
    const event: ProposedEvent = {
      id: uuidFromText(ID),
      type: 't',
      isJson: false,
      metadata: Buffer.alloc(0),
      data: Buffer.alloc(0),
    };
    const record = encodeRecord('s', event, {
      position: 3,
      revision: TOMBSTONE_REVISION,
      createdMs: 0,
    });
    const bytes = encodeReadEvent({ link: opened({ position: 3, record }) }, 'structured');
    const read = streams.ReadResp.deserializeBinary(bytes).getEvent()!;
    expect(read.hasEvent()).toBe(false);
    expect(read.getLink()?.getStreamRevision()).toBe('9223372036854775807');
    expect(read.getLink()?.getId()?.hasStructured()).toBe(true);
  });
});

describe('a proposed event', () => {
  it('is read as the generated code wrote it, with either form of UUID', () => {
    fc.assert(
      fc.property(proposed, fc.boolean(), (event, structured) => {
        const message = new streams.AppendReq.ProposedMessage();
        message.setId(structured ? structuredUuid(event.id) : textUuid(event.id));
        message.getMetadataMap().set('type', event.type);
        const contentType = event.isJson ? 'application/json' : 'application/octet-stream';
        message.getMetadataMap().set('content-type', contentType);
        message.setData(event.data);
        message.setCustomMetadata(event.metadata);
        const read = readProposedEvent(new ProtobufReader(Buffer.from(message.serializeBinary())));
        expect({ ...read, data: [...read.data], metadata: [...read.metadata] }).toEqual({
          ...event,
          data: [...event.data],
          metadata: [...event.metadata],
        });
      }),
      { numRuns: 200 },
    );
  });

  it('of any bytes is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          readProposedEvent(new ProtobufReader(Buffer.from(bytes)));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(error).not.toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('a UUID', () => {
  it.each([ID, ID.toUpperCase(), `{${ID}}`, ID.replaceAll('-', '')])(
    'is understood as %s',
    (text) => {
      expect(uuidToText(uuidFromText(text))).toBe(ID);
    },
  );

  it.each(['', 'x', `${ID}0`, 'g'.repeat(32)])('is refused as "%s"', (text) => {
    expect(() => uuidFromText(text)).toThrow('is not a UUID');
  });
});

function opened(logged: LoggedRecord): ReadRecord {
  return { ...logged, content: readContent(logged.record) };
}

function textUuid(id: Buffer): shared.UUID {
  const uuid = new shared.UUID();
  uuid.setString(uuidToText(id));
  return uuid;
}

function structuredUuid(id: Buffer): shared.UUID {
  const halves = new shared.UUID.Structured();
  halves.setMostSignificantBits(String(id.readBigInt64BE(0)));
  halves.setLeastSignificantBits(String(id.readBigInt64BE(8)));
  const uuid = new shared.UUID();
  uuid.setStructured(halves);
  return uuid;
}
