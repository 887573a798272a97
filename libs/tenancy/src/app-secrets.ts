import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { LRUCache } from 'lru-cache';
import type { AppCreated, CreatedApp } from '#domain/app';
import type { Instant } from '#domain/fact';
import type { Seal } from '#platform';

/** HMAC-SHA256 gains nothing from a longer key, and loses with a shorter one. */
const SECRET_BYTES = 32;
/** Opening a seal costs microseconds on every signed request; a few thousand apps fit in a process. */
const OPENED_SECRETS = 10_000;

/** The secrets of a new app: sealed for its first fact, and in the clear to be shown once. */
export interface NewAppSecrets {
  readonly sealed: Pick<
    AppCreated['data'],
    'sealedIngressSecret' | 'sealedApiKey' | 'sealedTokenKey' | 'tokenPublicKey'
  >;
  readonly shown: { readonly ingressSecret: string; readonly apiKey: string };
}

/** An app's secrets as the edge needs them; nothing of this is ever logged (decisions 3). */
export interface AppSecrets {
  /** Makes all secrets of a new app. */
  createFor(appId: string): Promise<NewAppSecrets>;
  /** A fresh random secret of 32 bytes in base64, and its sealed form. */
  create(): { readonly shown: string; readonly sealed: string };
  /** The key bytes of the ingress secrets that are valid at this wall-clock instant; newest first. */
  ingressKeys(app: CreatedApp, wallNow: Instant): Buffer[];
  /** The deprecated API key, as it was shown. */
  apiKey(app: CreatedApp): string;
  /** Opens any sealed text of the app, such as a webhook endpoint's secret. */
  open(sealed: string): string;
}

export function createAppSecrets(seal: Seal): AppSecrets {
  const opened = new LRUCache<string, string>({ max: OPENED_SECRETS });
  const open = (sealed: string): string => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const text = seal.open(sealed);
    opened.set(sealed, text);
    return text;
  };
  const ingressKeys = new LRUCache<string, Buffer>({ max: OPENED_SECRETS });
  const ingressKey = (sealed: string): Buffer => {
    let key = ingressKeys.get(sealed);
    if (key === undefined) {
      key = Buffer.from(open(sealed), 'base64');
      ingressKeys.set(sealed, key);
    }
    return key;
  };
  const create = () => {
    const shown = randomBytes(SECRET_BYTES).toString('base64');
    return { shown, sealed: seal.seal(shown) };
  };
  return {
    create,
    createFor: (appId) => createFor(appId, seal, create),
    ingressKeys: (app, wallNow) =>
      app.ingressSecrets
        .filter(({ expiresAt }) => expiresAt === null || wallNow < expiresAt)
        .map(({ sealed }) => ingressKey(sealed)),
    apiKey: (app) => open(app.sealedApiKey),
    open,
  };
}

/** The app that a deprecated API key names; the key itself must still be compared. */
export function appIdOfApiKey(apiKey: string): string | undefined {
  const [appId, random, rest] = Buffer.from(apiKey, 'base64').toString('utf8').split(':');
  return appId !== undefined && random !== undefined && rest === undefined ? appId : undefined;
}

async function createFor(
  appId: string,
  seal: Seal,
  create: AppSecrets['create'],
): Promise<NewAppSecrets> {
  const ingress = create();
  const random = randomBytes(SECRET_BYTES).toString('base64url');
  const apiKey = Buffer.from(`${appId}:${random}`).toString('base64');
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { kty, crv, x } = await exportJWK(pair.publicKey);
  return {
    sealed: {
      sealedIngressSecret: ingress.sealed,
      sealedApiKey: seal.seal(apiKey),
      sealedTokenKey: seal.seal(JSON.stringify(await exportJWK(pair.privateKey))),
      tokenPublicKey: { kty: kty ?? '', crv: crv ?? '', x: x ?? '' },
    },
    shown: { ingressSecret: ingress.shown, apiKey },
  };
}
