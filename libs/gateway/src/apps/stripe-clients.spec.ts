import { expect, it } from 'vitest';
import { openAccount } from './stripe-clients.js';

const stripeStandIn = new URL('http://127.0.0.1:4242');
const app = {
  appId: 'app_1',
  stripeKeys: { sealedSecretKey: 'k', sealedWebhookSecret: 'w' },
};

it('leads test apps alone to a stand-in: a production app is charged at Stripe', () => {
  const open = (environment: 'test' | 'production') =>
    openAccount({ ...app, environment }, { open: () => 'x' }, stripeStandIn);
  expect(open('test')).toMatchObject({ isLive: false, apiBase: stripeStandIn });
  expect(open('production')).toEqual({
    ...{ appId: 'app_1', isLive: true, secretKey: 'x', webhookSecret: 'x' },
  });
});
