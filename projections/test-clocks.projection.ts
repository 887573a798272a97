import type { RecordedEvent } from '#domain/event';
import type { TestClockEvent } from '#domain/test-clock';
import { eventTypesIn, type IndexName, type Projection } from '#projection-engine/define';
import { testClockRecipe } from './recipes/test-clocks.js';

export interface MovedClock {
  readonly status: 'reached' | 'advancing';
}

type MaybeMovedClock = MovedClock | { readonly status: 'none' };

/** A part of a list: in the order of the apps' ids, behind so many of them. */
interface ClockRange {
  readonly partition: number;
  readonly offset: number;
  readonly limit: number;
}

interface TestClockQueries {
  /** The apps whose clock was ever advanced. */
  moved(range: ClockRange): Promise<string[]>;
  /** Those whose clock is on its way. */
  advancing(range: ClockRange): Promise<string[]>;
}

/** Which test clocks are there, of all the apps that could have one? (rules/lifecycle 9) */
export const testClocks: Projection<MaybeMovedClock, TestClockQueries> = {
  name: 'test-clocks',
  version: 2,
  categories: ['test_clock'],
  eventTypes: eventTypesIn('test_clock'),
  documents: { of: 'stream' },
  initialState: { status: 'none' },
  project: (_, event) => {
    // Whether a clock is on its way is said by its last event alone. It is given only events of its types.
    const change = event as RecordedEvent & TestClockEvent;
    const isOver = change.type === 'test_clock.target_reached.v1';
    return { status: isOver ? 'reached' : 'advancing' };
  },
  indexes: (id, { status }) => {
    if (status === 'none') return [];
    const lists = status === 'advancing' ? [MOVED, ADVANCING] : [MOVED];
    return lists.map((index) => ({ index, member: id, score: 0 }));
  },
  recipe: testClockRecipe,
  queries: (read) => {
    const list = async (index: IndexName, range: ClockRange) =>
      (await read.range(index, { ...range, until: LISTED_AT })).map(({ member }) => member);
    return {
      moved: (range) => list(MOVED, range),
      advancing: (range) => list(ADVANCING, range),
    };
  },
};

const MOVED: IndexName = ['moved'];
const ADVANCING: IndexName = ['advancing'];
/** These lists have no times: all of their members stand at one. */
const LISTED_AT = '1970-01-01T00:00:00.000Z';
