import { addHours } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { ShopSessionEvent, ShopSessionLinked } from './shop-session.events.js';
import {
  canBeOpened,
  evolveShopSessions,
  findSession,
  noShopSessions,
  type ShopSessions,
} from './shop-session.state.js';

/** A link is opened by the game at once: later it may be in other hands (rules/webshop 1). */
export const SHOP_LINK_LIFETIME_MS = 5 * 60_000;
/** A session lasts a day of play, and no longer (rules/webshop 1). */
export const SHOP_SESSION_HOURS = 12;

export type ShopSessionCommand =
  | {
      readonly kind: 'LinkSession';
      readonly link: Omit<ShopSessionLinked['data'], 'linkedAt'>;
      readonly now: Instant;
    }
  | {
      readonly kind: 'OpenSession';
      readonly sessionId: string;
      /** The player's registration as it is now; null for one who was erased. */
      readonly registration: string | null;
      readonly now: Instant;
      /** A link's life, and a session's, keep to the wall clock. */
      readonly wallNow: Instant;
    }
  | { readonly kind: 'EndSession'; readonly sessionId: string; readonly now: Instant };

export interface ShopSessionRejection extends AnyRejection {
  readonly code: 'shop_session/link_not_valid';
}

/** Decides for the sessions of one player. A link that was used opens nothing, for any caller. */
function decideShopSession(
  command: ShopSessionCommand,
  state: ShopSessions,
): Decision<ShopSessionEvent, ShopSessionRejection> {
  switch (command.kind) {
    case 'LinkSession': {
      const { link, now } = command;
      if (findSession(state, link.sessionId) !== undefined) return accept();
      return accept({ type: 'shop_session.linked.v1', data: { ...link, linkedAt: now } });
    }
    case 'OpenSession': {
      const { sessionId, registration, now, wallNow } = command;
      if (!canBeOpened(findSession(state, sessionId), registration, wallNow)) {
        return reject('shop_session/link_not_valid');
      }
      const expiresAt = addHours(wallNow, SHOP_SESSION_HOURS);
      return accept({
        type: 'shop_session.opened.v1',
        data: { sessionId, openedAt: now, expiresAt },
      });
    }
    case 'EndSession': {
      const { sessionId, now } = command;
      if (findSession(state, sessionId)?.status !== 'open') return accept();
      return accept({ type: 'shop_session.ended.v1', data: { sessionId, endedAt: now } });
    }
  }
}

/** One stream for each player, named by the pseudonym; its events are kept for a week (decision 0034). */
export const shopSessionAggregate = defineAggregate('shop_session', {
  initialState: noShopSessions,
  evolve: evolveShopSessions,
  decide: decideShopSession,
});
