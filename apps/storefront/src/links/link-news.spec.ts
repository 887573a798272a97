import { describe, expect, it } from 'vitest';
import { LinkNews } from './link-news.js';

const event = (linkId: string, type: string) => ({
  ...{ streamName: `checkout_link-${linkId}`, type: `checkout_link.${type}` },
});

function listen(news: LinkNews, linkId: string) {
  const heard = { times: 0 };
  const end = news.subscribe(linkId, () => (heard.times += 1));
  return { heard, end };
}

describe('news of a checkout link', () => {
  it.each(['completed.v1', 'declined.v1', 'late_outcome_recorded.v1', 'of_a_later_release.v7'])(
    'are events that may bring an outcome: %s',
    (type) => {
      const news = new LinkNews();
      const all = ['cl_1', 'cl_1', 'cl_2'].map((id) => listen(news, id));
      news.note([event('cl_1', 'attempted.v1'), event('cl_1', 'paid.v1')]);
      expect(all.map(({ heard }) => heard.times)).toEqual([0, 0, 0]);
      news.note([event('cl_1', type)]);
      expect(all.map(({ heard }) => heard.times)).toEqual([1, 1, 0]);
    },
  );

  it('come no longer than they are wanted, and to others still', () => {
    const news = new LinkNews();
    const [one, another] = [listen(news, 'cl_1'), listen(news, 'cl_1')];
    one.end();
    news.note([event('cl_1', 'completed.v1')]);
    another.end();
    news.note([event('cl_1', 'completed.v1')]);
    expect([one.heard.times, another.heard.times]).toEqual([0, 1]);
  });
});
