import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { ShopSessionEvent, ShopSessionLinked } from './shop-session.events.js';

/**
 * Links and sessions of a player that are remembered, the latest ones: a studio that makes a link at every look at its
 * page does not make a state that grows, a forgotten session opens nothing.
 */
const SESSIONS_REMEMBERED = 50;

/** linked: its link was not used yet; open: until it expires; ended: for good. */
export interface ShopSession extends Readonly<ShopSessionLinked['data']> {
  readonly status: 'linked' | 'open' | 'ended';
  /** On the wall clock; null before its link was used. */
  readonly expiresAt: Instant | null;
}

/** The links and sessions of one player. The first events of the stream may be gone (decision 0034). */
export interface ShopSessions {
  /** In the order of their links. */
  readonly sessions: readonly ShopSession[];
}

export const noShopSessions: ShopSessions = { sessions: [] };

/** A link or session of these; undefined for one that is unknown, or forgotten. */
export function findSession(
  { sessions }: ShopSessions,
  sessionId: string,
): ShopSession | undefined {
  return sessions.find((session) => session.sessionId === sessionId);
}

/** Whether a session is there to be used. */
export function isOpen({ status, expiresAt }: ShopSession, wallNow: Instant): boolean {
  return status === 'open' && expiresAt !== null && wallNow < expiresAt;
}

/**
 * Whether the link of a session opens it: it was not used, is not too old, and its player is the one that it was made for.
 *
 * @param registration the player's as it is now; null for one who was erased.
 */
export function canBeOpened(
  session: ShopSession | undefined,
  registration: string | null,
  wallNow: Instant,
): boolean {
  if (session?.status !== 'linked' || registration !== session.registration) return false;
  return wallNow < session.linkExpiresAt;
}

/** Folds one event of a player's sessions. */
export function evolveShopSessions(state: ShopSessions, event: ShopSessionEvent): ShopSessions {
  switch (event.type) {
    case 'shop_session.linked.v1': {
      if (findSession(state, event.data.sessionId) !== undefined) return state;
      const linked = { ...event.data, status: 'linked', expiresAt: null } as const;
      return { sessions: forget([...state.sessions, linked]) };
    }
    case 'shop_session.opened.v1': {
      const { sessionId, expiresAt } = event.data;
      return change(state, sessionId, { status: 'open', expiresAt });
    }
    case 'shop_session.ended.v1':
      return change(state, event.data.sessionId, { status: 'ended' });
    default:
      return unknownEvent(state, event);
  }
}

/** An open session goes last: links that were not used must not end it. */
function forget(sessions: readonly ShopSession[]): readonly ShopSession[] {
  if (sessions.length <= SESSIONS_REMEMBERED) return sessions;
  const oldest = sessions.find(({ status }) => status !== 'open') ?? sessions[0];
  return sessions.filter((session) => session !== oldest);
}

function change(
  { sessions }: ShopSessions,
  sessionId: string,
  changed: Partial<Pick<ShopSession, 'status' | 'expiresAt'>>,
): ShopSessions {
  return {
    sessions: sessions.map((each) =>
      each.sessionId === sessionId ? { ...each, ...changed } : each,
    ),
  };
}
