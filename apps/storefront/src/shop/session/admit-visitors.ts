import type { FastifyInstance } from 'fastify';
import { wantsJson } from '../../http/wants-json.js';
import { sendPage } from '../../http/send-page.js';
import { renderNotice } from '../../pages/render-page.js';
import { choosePageLocale } from '../../languages/page-locale.js';
import type { SessionCookie } from './session-cookie.js';
import type { ShopSessions } from './shop-sessions.js';
import { noSession } from './visitor.js';

/**
 * Admits players with a session, and shows all others where the shop is opened (rules/webshop 1): before a body is
 * read, as all credentials are judged (rules/http 2).
 */
export function admitVisitors(
  fastify: FastifyInstance,
  sessions: Pick<ShopSessions, 'find'>,
  cookie: SessionCookie,
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isForVisitors !== true) return;
    const found = await sessions.find(cookie.read(request), request.origin);
    if (found === undefined) {
      if (wantsJson(request)) throw noSession();
      const acceptLanguage = request.headers['accept-language'] ?? '';
      const { regionCode = '' } = request.origin ?? {};
      const locale = choosePageLocale({ linkLanguage: '', acceptLanguage, regionCode });
      reply.headers(noSession().headers);
      await sendPage(reply, renderNotice('noSession', locale));
      return;
    }
    const { appId, accountId: externalAccountId, player } = found.visitor;
    Object.assign(request, found);
    request.caller = { kind: 'player', appId, externalAccountId, player };
  });
}
