import { shopSessionAggregate } from '#domain/shop-session';
import { play } from '../../support/play.js';

const AT = '2027-01-31T10:00:00.000Z';
const SESSION = 'ws_01gold';

/** A session of the webshop, from its link to its end. */
export const shopSession = play(
  shopSessionAggregate.decider,
  {
    kind: 'LinkSession',
    link: {
      sessionId: SESSION,
      appId: 'app_01gold',
      player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
      registration: '0123456789abcdef0123456789abcdef',
      language: 'de',
      regionCode: 'DE-BE',
      personal: { email: 'p1.0a1b2c3d.iv.tag.email' },
      linkedAt: AT,
      linkExpiresAt: '2027-01-31T10:05:00.000Z',
    },
  },
  {
    kind: 'OpenSession',
    sessionId: SESSION,
    registration: '0123456789abcdef0123456789abcdef',
    now: '2027-01-31T10:00:30.000Z',
    wallNow: '2027-01-31T10:00:30.000Z',
  },
  { kind: 'EndSession', sessionId: SESSION, now: '2027-01-31T11:00:00.000Z' },
);
