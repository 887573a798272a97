import { describe, expect, it } from '@jest/globals';
import { LinkNews } from './link-news.js';

const event = (linkId: string, type: string) => ({
  ...{ streamName: `checkout_link-${linkId}`, type: `checkout_link.${type}` },
});

function waitFor(news: LinkNews, linkId: string, signal = new AbortController().signal) {
  const seen = { isTold: false };
  void news.next(linkId, signal).then(() => (seen.isTold = true));
  return seen;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('news of a checkout link', () => {
  it.each(['completed.v1', 'declined.v1', 'late_outcome_recorded.v1', 'of_a_later_release.v7'])(
    'are events that may bring an outcome: %s',
    async (type) => {
      const news = new LinkNews();
      const [one, another, other] = ['cl_1', 'cl_1', 'cl_2'].map((id) => waitFor(news, id));
      news.note([event('cl_1', 'attempted.v1'), event('cl_1', 'paid.v1')]);
      await nextTurn();
      expect([one, another, other].map((each) => each?.isTold)).toEqual([false, false, false]);
      news.note([event('cl_1', type)]);
      await nextTurn();
      expect([one, another, other].map((each) => each?.isTold)).toEqual([true, true, false]);
    },
  );

  it('are waited for no longer than they are wanted', async () => {
    const news = new LinkNews();
    const wanted = new AbortController();
    const waiting = waitFor(news, 'cl_1', wanted.signal);
    wanted.abort();
    await nextTurn();
    expect(waiting.isTold).toBe(true);
  });
});
