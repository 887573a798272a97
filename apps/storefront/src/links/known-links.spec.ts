import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deriveId } from '#domain/ids';
import { createCommandExecutor, type EventStore } from '#event-store';
import { Ledger } from '#nest';
import { createLogger } from '#platform';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';
import { KnownLinks } from './known-links.js';
import { LinkNews } from './link-news.js';
import { makeLink, NOW } from './spec-support/links.js';

const FLOOD = 1000;
/** A hundred in a second, for the 5 s that the others wait, and the first hundred. */
const LOOKED_UP_AT_MOST = 650;
/** More than those wait. */
const WAIT_MS = 6_000;
const makeId = (cause: string) => deriveId('cl', NOW, '5f', cause);

let store: MemoryEventStore;
let links: KnownLinks;

beforeEach(() => {
  store = new MemoryEventStore();
  links = new KnownLinks(
    new Ledger(createCommandExecutor(store as unknown as EventStore)),
    new LinkNews(),
  );
});

afterEach(() => void vi.useRealTimers());

/** Answers of ids that are none, which come when their wait is over: the clock is moved on until then. */
async function answersTo(flood: readonly Promise<string>[]): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  return Promise.all(flood);
}

/** How an id is answered: `found`, or the reason why not. */
async function answerTo(linkId: string): Promise<string> {
  return links.find(linkId).then(
    () => 'found',
    (error: unknown) => (error as { reason: string }).reason,
  );
}

describe('a checkout link that is asked for', () => {
  it.each(['', 'cl_', 'cl_nothing', 'sub_' + makeId('x').slice(3), `${makeId('x')}\0`, '%00'])(
    'costs no look into the store when it is none by its form: %j',
    async (linkId) => {
      expect(await answerTo(linkId)).toBe('CHECKOUT_LINK_NOT_FOUND');
      expect(await answerTo(`cl_${linkId}`.padEnd(8192, '0'))).toBe('CHECKOUT_LINK_NOT_FOUND');
      expect(store.calls).toEqual([]);
    },
  );

  it('is looked up once when there is none, however often it is asked for', async () => {
    const answers = Array.from({ length: 200 }, async () => answerTo(makeId('unknown')));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['CHECKOUT_LINK_NOT_FOUND']));
    expect(store.calls).toHaveLength(1);
  });

  it('is found as it is now, in a flood of others too, where it was made or seen here', async () => {
    const [made, seen] = [makeId('made'), makeId('seen')];
    const others = createCommandExecutor(store as unknown as EventStore);
    for (const linkId of [made, seen]) await makeLink(others, linkId);
    const before = store.calls.length;
    vi.useFakeTimers();
    links.learn([{ streamName: `checkout_link-${made}` }]);
    expect(await answerTo(seen)).toBe('found');
    const flood = Array.from({ length: FLOOD }, async (_, n) => answerTo(makeId(`flood ${n}`)));
    expect(await Promise.all([answerTo(made), answerTo(seen)])).toEqual(['found', 'found']);
    // One that is not known is not told to be missing.
    const kinds = new Set(await answersTo(flood));
    expect(kinds).toEqual(new Set(['CHECKOUT_LINK_NOT_FOUND', 'TOO_MANY_UNKNOWN_LINKS']));
    expect(store.calls.length - before).toBeLessThan(LOOKED_UP_AT_MOST);
  });

  it('is known as soon as it is made elsewhere, also in a flood of others', async () => {
    const sold = makeId('sold by another process');
    await makeLink(createCommandExecutor(store as unknown as EventStore), sold);
    const following = new AbortController();
    const feed = {
      headPosition: async () => '0',
      async *subscribe() {
        yield { events: [{ streamName: `checkout_link-${sold}` }], upTo: '1' };
        await once(following.signal, 'abort');
      },
    } as unknown as EventStore;
    await links.follow({ store: feed, following, log: createLogger('spec', { level: 'silent' }) });
    await new Promise((resolve) => setImmediate(resolve));
    vi.useFakeTimers();
    const flood = Array.from({ length: FLOOD }, async (_, n) => answerTo(makeId(`flood ${n}`)));
    const answer = answerTo(sold);
    // Not when the first of the flood give their places back, a second later.
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.race([answer, Promise.resolve('waits')])).toBe('found');
    await answersTo(flood);
    following.abort();
  });
});
