import { beforeAll, describe, expect, it } from 'vitest';
import {
  BACKWARDS,
  END,
  ErrorType,
  START,
  type Position,
  type ResolvedEvent,
} from '@eventstore/db-client';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import {
  collect,
  event,
  events,
  ofStream,
  rawRead,
  readOptions,
  listRevisions,
  useSubject,
  failureStatus,
  streamTarget,
  uniqueStream,
} from './subject.js';

const subject = useSubject();
let stream: string;
/** The positions of the ten events of `stream`. */
let positions: Position[];

beforeAll(async () => {
  stream = uniqueStream('read');
  for (let n = 0; n < 10; n += 1) await subject.client.appendToStream(stream, [event({ n })]);
  const read = await collect(subject.client.readStream(stream));
  positions = read.map((resolved) => resolved.event!.position!);
});

const read = async (options: object): Promise<number[]> =>
  listRevisions(await collect<ResolvedEvent>(subject.client.readStream(stream, options)));

describe('reading a stream', () => {
  it.each([
    ['forwards from the start', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['forwards from a revision, which is included', { fromRevision: 7n }, [7, 8, 9]],
    ['forwards with a count', { fromRevision: 3n, maxCount: 2 }, [3, 4]],
    ['forwards beyond the end', { fromRevision: 10n }, []],
    ['backwards from the end', { direction: BACKWARDS, fromRevision: END, maxCount: 3 }, [9, 8, 7]],
    [
      'backwards from a revision, which is included',
      { direction: BACKWARDS, fromRevision: 2n },
      [2, 1, 0],
    ],
    [
      'backwards from beyond the end',
      { direction: BACKWARDS, fromRevision: 99n, maxCount: 2 },
      [9, 8],
    ],
    [
      'backwards from the start, its first event',
      { direction: BACKWARDS, fromRevision: START },
      [0],
    ],
  ])('%s', async (_rule, options, expected) => {
    expect(await read(options)).toEqual(expected);
  });

  it('that does not exist answers that it is not found', async () => {
    const missing = uniqueStream();
    const refused = collect(subject.client.readStream(missing));
    await expect(refused).rejects.toMatchObject({
      type: ErrorType.STREAM_NOT_FOUND,
      streamName: missing,
    });
  });

  it('gives each event a position that $all knows it by', async () => {
    const [resolved] = await collect(
      subject.client.readAll({ fromPosition: positions[4]!, maxCount: 1 }),
    );
    expect(resolved?.event).toMatchObject({ streamId: stream, revision: 4n });
  });

  it('can be broken off, and the connection goes on', async () => {
    const long = uniqueStream();
    for (let n = 0; n < 5; n += 1) await subject.client.appendToStream(long, events(200));
    for (let n = 0; n < 20; n += 1) {
      for await (const resolved of subject.client.readStream(long)) {
        if (resolved.event?.revision === 3n) break;
      }
    }
    expect(await collect(subject.client.readStream(long))).toHaveLength(1000);
  });
});

describe('reading $all', () => {
  it('forwards from a position includes it', async () => {
    const found = await collect(
      subject.client.readAll({ fromPosition: positions[8]!, maxCount: 1 }),
    );
    expect(listRevisions(found)).toEqual([8]);
  });

  it('backwards from a position excludes it', async () => {
    const [found] = await collect(
      subject.client.readAll({ direction: BACKWARDS, fromPosition: positions[5]!, maxCount: 1 }),
    );
    expect(found!.commitPosition! < positions[5]!.commit).toBe(true);
    expect(found!.commitPosition! >= positions[4]!.commit).toBe(true);
  });

  it('has every event once, in the order of positions', async () => {
    const all = await collect(subject.client.readAll({ fromPosition: positions[0]! }));
    const commits = all.map(({ commitPosition }) => commitPosition!);
    expect(commits).toEqual([...new Set(commits)].sort((a, b) => (a < b ? -1 : 1)));
    expect(listRevisions(ofStream(all, stream))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('backwards is forwards turned round', async () => {
    const to = positions[9]!;
    const forwards = await collect(subject.client.readAll({ fromPosition: positions[0]! }));
    const backwards = await collect(
      subject.client.readAll({ direction: BACKWARDS, fromPosition: to, maxCount: 5000 }),
    );
    const within = forwards
      .map(({ commitPosition }) => commitPosition!)
      .filter((commit) => commit < to.commit);
    const turned = backwards.map(({ commitPosition }) => commitPosition!).reverse();
    expect(turned.slice(-within.length)).toEqual(within);
  });

  it('from the end forwards is empty, and backwards from the start, too', async () => {
    expect(await collect(subject.client.readAll({ fromPosition: END }))).toEqual([]);
    const backwards = subject.client.readAll({ direction: BACKWARDS, fromPosition: START });
    expect(await collect(backwards)).toEqual([]);
  });

  it('is not empty on a new node: it has a system event', async () => {
    expect(await collect(subject.client.readAll({ maxCount: 1 }))).toHaveLength(1);
  });
});

const { ContentCase } = streams.ReadResp;

interface Range {
  readonly from?: number;
  readonly count?: number;
  readonly backwards?: boolean;
}

/** The answers to a client of version 21.10 or later, a line a message. */
async function readWithPositions(
  name: string,
  { from, count, backwards = false }: Range,
): Promise<string[]> {
  const options = readOptions();
  const target = streamTarget(name);
  if (from !== undefined) target.setRevision(String(from));
  else if (backwards) target.setEnd(new sharedMessages.Empty());
  options.setStream(target);
  options.setCount(String(count ?? 1000));
  const { BACKWARDS: backward, FORWARDS: forward } = streams.ReadReq.Options.ReadDirection;
  options.setReadDirection(backwards ? backward : forward);
  const control = new streams.ReadReq.Options.ControlOption();
  control.setCompatibility(1);
  options.setControlOption(control);
  return (await rawRead(subject, options)).map((answer) => {
    if (answer.hasEvent()) return `event ${answer.getEvent()!.getEvent()!.getStreamRevision()}`;
    if (answer.hasFirstStreamPosition()) return `first ${answer.getFirstStreamPosition()}`;
    if (answer.hasLastStreamPosition()) return `last ${answer.getLastStreamPosition()}`;
    return answer.hasStreamNotFound() ? 'not found' : 'something else';
  });
}

describe('the Read call', () => {
  it('gives structured UUIDs to those who ask for them', async () => {
    const options = readOptions('structured');
    options.setStream(streamTarget(stream));
    options.setCount('1');
    const [answer] = await rawRead(subject, options);
    const halves = answer!.getEvent()!.getEvent()!.getId()!.getStructured()!;
    const bytes = Buffer.alloc(16);
    bytes.writeBigInt64BE(BigInt(halves.getMostSignificantBits()), 0);
    bytes.writeBigInt64BE(BigInt(halves.getLeastSignificantBits()), 8);
    const [first] = await collect(subject.client.readStream(stream, { maxCount: 1 }));
    expect(bytes.toString('hex')).toBe(first!.event!.id.replaceAll('-', ''));
  });

  it('gives `created` in ticks of 100 ns', async () => {
    const options = readOptions();
    options.setStream(streamTarget(stream));
    options.setCount('1');
    const [answer] = await rawRead(subject, options);
    const properties = answer!.getEvent()!.getEvent()!.getMetadataMap();
    const ageMs = Date.now() - Number(BigInt(properties.get('created')!) / 10_000n);
    expect(Math.abs(ageMs)).toBeLessThan(120_000);
    expect(properties.get('content-type')).toBe('application/json');
  });

  it('refuses a request without a UUID option, or never answers it', async () => {
    const options = readOptions();
    options.clearUuidOption();
    options.setStream(streamTarget(stream));
    options.setCount('1');
    const { code } = await failureStatus(rawRead(subject, options, Date.now() + 2000));
    expect([status.INVALID_ARGUMENT, status.DEADLINE_EXCEEDED]).toContain(code);
  });

  it('gives no positions of the stream where the request asks for none', async () => {
    const options = readOptions();
    options.setStream(streamTarget(stream));
    options.setCount('2');
    const kinds = (await rawRead(subject, options)).map((answer) => answer.getContentCase());
    expect(kinds).toEqual([ContentCase.EVENT, ContentCase.EVENT]);
  });

  it.each([
    ['a part of a stream', { from: 2, count: 2 }, ['event 2', 'event 3', 'last 9']],
    ['the end of a stream', { from: 10 }, ['last 9']],
    ['what is beyond the end', { from: 25 }, ['first 10', 'last 9']],
    ['a stream backwards', { from: 1, backwards: true }, ['event 1', 'event 0', 'last 9']],
    ['the last event', { backwards: true, count: 1 }, ['event 9', 'last 9']],
  ])('tells positions with %s to those who ask for them', async (_what, range, expected) => {
    expect(await readWithPositions(stream, range)).toEqual(expected);
  });

  it('gives the beginning of a truncated stream if the read begins far before it', async () => {
    const long = uniqueStream();
    await subject.client.appendToStream(long, events(60));
    await subject.client.setStreamMetadata(long, { truncateBefore: 58 });
    expect(await readWithPositions(long, { from: 0 })).toEqual([
      'first 58',
      'event 58',
      'event 59',
      'last 59',
    ]);
    expect(await readWithPositions(long, { from: 50 })).toEqual([
      'event 58',
      'event 59',
      'last 59',
    ]);
  });

  it('gives no positions of a stream that is not there', async () => {
    expect(await readWithPositions(uniqueStream(), {})).toEqual(['not found']);
  });

  it('refuses a subscription that reads backwards', async () => {
    const options = readOptions();
    options.setStream(streamTarget(stream));
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    options.setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS);
    expect((await failureStatus(rawRead(subject, options))).code).toBe(status.INVALID_ARGUMENT);
  });

  it.each(['prefix', 'regex'] as const)('reads $all filtered by a stream %s', async (kind) => {
    const options = readOptions();
    const all = new streams.ReadReq.Options.AllOptions();
    const position = new streams.ReadReq.Options.Position();
    position.setCommitPosition(String(positions[0]!.commit));
    position.setPreparePosition(String(positions[0]!.prepare));
    all.setPosition(position);
    options.setAll(all);
    const expression = new streams.ReadReq.Options.FilterOptions.Expression();
    if (kind === 'prefix') expression.addPrefix(stream.slice(0, -2));
    else expression.setRegex(`^${stream}$`);
    const filter = new streams.ReadReq.Options.FilterOptions();
    filter.setStreamIdentifier(expression);
    filter.setCount(new sharedMessages.Empty());
    filter.setCheckpointintervalmultiplier(1);
    options.setFilter(filter);
    options.setCount('4');
    const found = (await rawRead(subject, options)).filter((answer) => answer.hasEvent());
    const revisions = found.map((answer) => answer.getEvent()!.getEvent()!.getStreamRevision());
    expect(revisions).toEqual(['0', '1', '2', '3']);
  });
});
