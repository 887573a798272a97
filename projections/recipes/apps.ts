import { type App, appAggregate } from '#domain/app';
import type { StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';
import { idBehindTime, inReverseOrderOfTime } from './in-order-of-time.js';

/** An app without its secrets and its brand, in the list of all (rules/api 16). */
export const appRecipe: StreamRecipe<App> = {
  ...byAggregate(appAggregate),
  render: (id, app) => {
    if (app.status === 'none') return { state: app, entries: [] };
    const {
      ingressSecrets: _secrets,
      sealedApiKey: _apiKey,
      sealedTokenKey: _tokenKey,
      ...a
    } = app;
    const { sealedPseudonymKey: _pseudonymKey, tokenPublicKey: _publicKey, ...b } = a;
    const { stripeKeys: _stripeKeys, brand: _brand, ...shown } = b;
    const catalog = app.catalog && withoutKey(app.catalog);
    return {
      state: { ...shown, catalog },
      entries: [inReverseOrderOfTime(['all'], app.createdAt, id)],
    };
  },
  findId: (_, member) => idBehindTime(member),
};

function withoutKey(catalog: Exclude<Exclude<App, { status: 'none' }>['catalog'], null>) {
  const { sealedApiKey: _apiKey, ...shown } = catalog;
  return shown;
}
