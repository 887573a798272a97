import { describe, expect, it } from 'vitest';
import { addHours, addMilliseconds } from '../calendar/index.js';
import { given } from '../decider/spec-support/given.js';
import type { ShopSessionEvent } from './shop-session.events.js';
import {
  findSession,
  isOpen,
  SHOP_LINK_LIFETIME_MS,
  type ShopSessionCommand,
  shopSessionAggregate,
} from './index.js';

const { decider } = shopSessionAggregate;
const AT = '2027-01-31T10:00:00.000Z';
const LINK = {
  ...{ sessionId: 'ws_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ registration: 'first', language: 'de', regionCode: 'DE', personal: {} },
  linkExpiresAt: addMilliseconds(AT, SHOP_LINK_LIFETIME_MS),
};
const linked = {
  type: 'shop_session.linked.v1',
  data: { ...LINK, linkedAt: AT },
} satisfies ShopSessionEvent;
const link = { kind: 'LinkSession', link: LINK, now: AT } as const;
const expiresAt = addHours(AT, 12);
const opened: ShopSessionEvent = {
  type: 'shop_session.opened.v1',
  data: { sessionId: 'ws_1', openedAt: AT, expiresAt },
};
const ended: ShopSessionEvent = {
  type: 'shop_session.ended.v1',
  data: { sessionId: 'ws_1', endedAt: AT },
};
type OpenSession = Extract<ShopSessionCommand, { kind: 'OpenSession' }>;
const OPEN: OpenSession = {
  ...{ kind: 'OpenSession', sessionId: 'ws_1', registration: 'first' },
  ...{ now: AT, wallNow: AT },
};
const open = (over: Partial<OpenSession> = {}): OpenSession => ({ ...OPEN, ...over });
const end = { kind: 'EndSession', sessionId: 'ws_1', now: AT } as const;

/** rules/webshop 1 */
describe('a link into the webshop', () => {
  it('is made once for an id', () => {
    expect(given(decider).when(link)).toEqual([linked]);
    expect(given(decider, linked).when(link)).toEqual([]);
  });

  it('opens a session of twelve hours, once', () => {
    expect(given(decider, linked).when(open())).toEqual([opened]);
    expect(given(decider, linked, opened).when(open())).toBe('shop_session/link_not_valid');
    expect(given(decider, linked, opened, ended).when(open())).toBe('shop_session/link_not_valid');
  });

  it('opens nothing from its end on, which keeps to the wall clock', () => {
    const { linkExpiresAt } = LINK;
    const justBefore = addMilliseconds(linkExpiresAt, -1);
    expect(given(decider, linked).when(open({ wallNow: justBefore }))).toHaveLength(1);
    expect(given(decider, linked).when(open({ now: addHours(AT, 900) }))).toHaveLength(1);
    const late = open({ wallNow: linkExpiresAt });
    expect(given(decider, linked).when(late)).toBe('shop_session/link_not_valid');
  });

  it.each([
    ['was never made', given(decider), open()],
    ['is another one', given(decider, linked), open({ sessionId: 'ws_2' })],
    ['is of a player who was erased', given(decider, linked), open({ registration: null })],
    ['is of before an erasure', given(decider, linked), open({ registration: 'second' })],
  ])('opens nothing where it %s', (_why, { when }, command) => {
    expect(when(command)).toBe('shop_session/link_not_valid');
  });

  it('is forgotten behind fifty later ones, unless its session is open', () => {
    const others = Array.from({ length: 50 }, (_, index) => ({
      ...linked,
      data: { ...linked.data, sessionId: `ws_other${index}` },
    }));
    const { state } = given(decider, linked, ...others);
    expect([state.sessions.length, findSession(state, 'ws_1')]).toEqual([50, undefined]);
    const { sessions } = given(decider, linked, opened, ...others).state;
    const ids = sessions.map(({ sessionId }) => sessionId);
    expect([ids.length, ids[0], ids[1]]).toEqual([50, 'ws_1', 'ws_other1']);
  });
});

describe('a session of the webshop', () => {
  const session = (...history: readonly ShopSessionEvent[]) =>
    findSession(given(decider, ...history).state, 'ws_1');

  it('is open until it expires, by the wall clock', () => {
    expect(isOpen(session(linked)!, AT)).toBe(false);
    expect(isOpen(session(linked, opened)!, addMilliseconds(expiresAt, -1))).toBe(true);
    expect(isOpen(session(linked, opened)!, expiresAt)).toBe(false);
  });

  it('is ended by signing out, once', () => {
    expect(given(decider, linked, opened).when(end)).toEqual([ended]);
    expect(isOpen(session(linked, opened, ended)!, AT)).toBe(false);
    expect(given(decider, linked, opened, ended).when(end)).toEqual([]);
    expect(given(decider, linked).when(end)).toEqual([]);
  });

  it('is none where the events of its beginning are gone', () => {
    expect(given(decider, opened).state).toEqual({ sessions: [] });
  });
});
