import { describe, expect, it } from 'vitest';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { streamRequest } from './read-requests.js';

const { Options } = streams.ReadReq;
const FROM = Options.StreamOptions.RevisionOptionCase;

/** Our bytes as the generated classes read them, which every other client uses. */
function read(bytes: Uint8Array) {
  const options = streams.ReadReq.deserializeBinary(bytes).getOptions();
  const stream = options?.getStream();
  return {
    stream: Buffer.from(stream?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    from: stream?.getRevisionOptionCase(),
    revision: stream?.getRevision(),
    count: options?.getCount(),
    isBackwards: options?.getReadDirection() === Options.ReadDirection.BACKWARDS,
    resolvesLinks: options?.getResolveLinks(),
    hasNoFilter: options?.hasNoFilter(),
    idsAreText: options?.getUuidOption()?.hasString(),
  };
}

const PLAIN = { resolvesLinks: false, hasNoFilter: true, idsAreText: true };

describe('the bytes of a read', () => {
  it('ask for a stream from its beginning', () => {
    expect(read(streamRequest('sl.app-1', { maxCount: 2 }))).toEqual({
      ...PLAIN,
      stream: 'sl.app-1',
      from: FROM.START,
      revision: '0',
      count: '2',
      isBackwards: false,
    });
  });

  it.each([0, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER])(
    'ask for it from revision %d, and for as many events',
    (fromRevision) => {
      const request = streamRequest('é-1', { fromRevision, maxCount: fromRevision });
      const asked = { from: FROM.REVISION, revision: `${fromRevision}`, count: `${fromRevision}` };
      expect(read(request)).toMatchObject({ ...PLAIN, stream: 'é-1', ...asked });
    },
  );

  it('ask for its end', () => {
    const request = streamRequest('a', { maxCount: 1, backwards: true });
    expect(read(request)).toMatchObject({ ...PLAIN, from: FROM.END, isBackwards: true });
  });
});
