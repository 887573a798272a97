import type { AppCreated } from '../app.events.js';

/** An app for the specs, as it begins. */
export const createdApp: AppCreated = {
  type: 'app.created.v1',
  data: {
    ...{ appId: 'app_1', name: 'Gold Rush', environment: 'test' },
    ...{ sealedIngressSecret: 'sealed-1', sealedApiKey: 'sealed-key' },
    ...{ sealedTokenKey: 'sealed-token-key', sealedPseudonymKey: 'sealed-5' },
    ...{ tokenPublicKey: { kty: 'OKP' }, createdAt: '2027-01-31T10:00:00.000Z' },
  },
};
