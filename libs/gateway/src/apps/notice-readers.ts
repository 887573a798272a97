import type { Clock } from '#platform';
import type { NoticeReader, NoticeReaders } from '../gateway-notice.js';
import { type Apps, openAccount, type Secrets } from './stripe-clients.js';

interface NoticeReadersOptions {
  readonly apps: Apps;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly sandbox: NoticeReader;
  /** Where something answers in Stripe's place, for test apps. */
  readonly stripeStandIn: URL | undefined;
}

/** The readers of notices of all kinds of gateways; Stripe's verifies by the app's own webhook secret. */
export function createNoticeReaders(options: NoticeReadersOptions): NoticeReaders {
  const { sandbox } = options;
  const reader: NoticeReader = {
    read: async (received) => (await loadStripe(options)).read(received),
  };
  return {
    of: (kind) => (kind === 'sandbox' ? sandbox : reader),
  };
}

async function loadStripe(options: NoticeReadersOptions): Promise<NoticeReader> {
  const { apps, secrets, clock, stripeStandIn } = options;
  const { createStripeNotices } = await import('../stripe/index.js');
  return createStripeNotices({
    clock,
    findAccount: async (appId) => {
      const app = await apps.find(appId);
      return app && openAccount(app, secrets, stripeStandIn);
    },
  });
}
