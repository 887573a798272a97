import { describe, expect, it } from 'vitest';
import { findAll, listed, readSources } from './sources.js';
import { OLD_WORDS } from './vocabulary.js';

const sources = readSources();

describe('the vocabulary', () => {
  it.each(OLD_WORDS)('has no "$old": write $write', ({ pattern, files = /^/ }) => {
    const where = sources.filter(({ file }) => files.test(file));
    expect(listed(findAll(where, pattern))).toEqual([]);
  });

  it.each([
    ['unsettled', 'the unsettledMember of a job', 1],
    ['fact', 'RecordedFact is a fact, in fact, of a factory', 2],
    ['lane', 'laneBy one lane of a planet', 2],
    ['rest (waiting)', 'await rested(1); data at rest, the rest of it, (...rest) =>', 1],
    ['mark, MarkWriter, webhook_progress', 'new MarkWriter(): a question mark, benchmarks', 1],
    ['heard, workedOff, told', 'told(1), she told him', 1],
    ['react, reactTo, Reaction, Effects', "reactTo(); 'react-dom'; no side effects; Reactor", 1],
    ['step aside, isAside', 'it steps aside; isAside, ASIDE_OF; set aside, leave aside', 3],
    [
      'lag behind, Lag',
      'one that lags behind, LagReader in lag-reader.js; a lag of a second, flag-day',
      3,
    ],
    ['given back (to a queue)', 'givenBack, GIVEN_BACK_FOR_MS; the lease is given back', 2],
    ['withheld', "kind: 'withheld'", 1],
    ['held (endpoint)', 'a held endpoint; endpoints are held; a partition is held', 2],
    ['places (at a receiver or gateway)', 'shareOfPlaces from ./places.js; places in the log', 2],
    ['window (of an endpoint)', 'its window, DeliveryWindow, WINDOW_OF_ENDPOINT', 3],
    [
      'look, fresh look',
      'the next look, FreshLooks, LEASE_LOOK_MS; the first look at it, one looks',
      3,
    ],
    ['patience', 'patienceTicks, Patience, with patience; patients', 3],
    ['whole, lines (of a backup)', 'begins with a whole, then change lines; the whole stream', 2],
    ['Lines, join, leave', 'lines.join(queue, job); lines.join(); new Lines()', 2],
    ['riddles: whoever, nobody, somebody, is told', 'Nobody is told whatever he told me', 2],
  ])('tells "%s" from ordinary English: %s', (old, text, count) => {
    const word = OLD_WORDS.find((each) => each.old === old);
    expect(findAll([{ file: 'a.ts', text }], word?.pattern ?? /$/g)).toHaveLength(count);
  });

  it('is kept by the names of files, too', () => {
    const [place] = findAll([{ file: 'libs/wire/index.ts', text: '' }], /\blibs\/wire\b/g);
    expect(place).toEqual({ file: 'libs/wire/index.ts', line: 0, found: 'libs/wire' });
  });
});
