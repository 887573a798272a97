import { createHmac, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { LRUCache } from 'lru-cache';
import type { AppCreated, CreatedApp } from '#domain/app';
import type { Instant } from '#domain/event';
import { type CreatedWebhookEndpoint, signingSecrets } from '#domain/webhook-endpoint';
import { type Seal, upTo } from '#platform';

/** A secret of an endpoint, as its state has it. */
type EndpointSecret = CreatedWebhookEndpoint['secrets'][number];

/** HMAC-SHA256 gains nothing from a longer key, and loses with a shorter one. */
const SECRET_BYTES = 32;
/** As many as a UUID has: two players of an app never meet. */
const PSEUDONYM_BYTES = 16;
/** Opening a seal costs microseconds on every signed request; a few thousand apps fit in a process. */
const OPENED_SECRETS = 10_000;

/** The secrets of a new app: sealed for its first event, and in the clear to be shown once. */
export interface NewAppSecrets {
  readonly sealed: Pick<
    AppCreated['data'],
    | 'sealedIngressSecret'
    | 'sealedApiKey'
    | 'sealedTokenKey'
    | 'tokenPublicKey'
    | 'sealedPseudonymKey'
  >;
  readonly shown: { readonly ingressSecret: string; readonly apiKey: string };
}

/** The purposes of an app's secrets; each is sealed for one of these and opens for no other (rules/storage 4). */
export type SecretPurpose =
  | 'ingress secret'
  | 'API key'
  | 'catalog API key'
  | 'token key'
  | 'webhook secret'
  | 'pseudonym key'
  | 'Stripe secret key'
  | 'Stripe webhook secret';

/** An app's secrets as the edge needs them; nothing of this is ever logged (rules/api 11). */
export class AppSecrets {
  readonly #opened = new LRUCache<string, string>(upTo(OPENED_SECRETS));
  /**
   * Each signed request needs its key. It is found by the app's object: a copy of a secret in another app is opened anew,
   * and refused.
   */
  readonly #ingressKeys = new WeakMap<CreatedApp, Map<string, Buffer>>();
  /** Each attempt of a webhook needs its secrets. They are found by the object that they stand in, for its app alone. */
  readonly #webhookSecrets = new WeakMap<EndpointSecret, { appId: string; text: string }>();

  constructor(private readonly sealing: Seal) {}

  /** Makes all secrets of a new app. */
  async createFor(appId: string): Promise<NewAppSecrets> {
    const ingress = this.create(appId, 'ingress secret');
    const random = randomBytes(SECRET_BYTES).toString('base64url');
    const apiKey = Buffer.from(`${appId}:${random}`).toString('base64');
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const { kty, crv, x } = await exportJWK(pair.publicKey);
    const privateKey = JSON.stringify(await exportJWK(pair.privateKey));
    return {
      sealed: {
        sealedIngressSecret: ingress.sealed,
        sealedApiKey: this.seal(appId, 'API key', apiKey),
        sealedTokenKey: this.seal(appId, 'token key', privateKey),
        tokenPublicKey: { kty: kty ?? '', crv: crv ?? '', x: x ?? '' },
        sealedPseudonymKey: this.create(appId, 'pseudonym key').sealed,
      },
      shown: { ingressSecret: ingress.shown, apiKey },
    };
  }

  /** A fresh random secret of 32 bytes in base64, and its sealed form. */
  create(
    appId: string,
    purpose: SecretPurpose,
  ): { readonly shown: string; readonly sealed: string } {
    const shown = randomBytes(SECRET_BYTES).toString('base64');
    return { shown, sealed: this.seal(appId, purpose, shown) };
  }

  /** The sealed form of a secret that another made. */
  seal(appId: string, purpose: SecretPurpose, text: string): string {
    return this.sealing.seal(text, { appId, purpose });
  }

  /** The key bytes of the ingress secrets that are valid at this wall-clock instant; newest first. */
  ingressKeys(app: CreatedApp, wallNow: Instant): Buffer[] {
    return app.ingressSecrets
      .filter(({ expiresAt }) => expiresAt === null || wallNow < expiresAt)
      .map(({ sealed }) => this.#ingressKey(app, sealed));
  }

  /**
   * The signing secrets of an endpoint that are valid at this wall-clock instant, in base64; newest first
   * (rules/webhooks 4).
   */
  webhookSecrets(
    { appId, secrets }: Pick<CreatedWebhookEndpoint, 'appId' | 'secrets'>,
    wallNow: Instant,
  ): string[] {
    return signingSecrets(secrets, wallNow).map((secret) => {
      const known = this.#webhookSecrets.get(secret);
      if (known?.appId === appId) return known.text;
      const text = this.open(appId, 'webhook secret', secret.sealed);
      this.#webhookSecrets.set(secret, { appId, text });
      return text;
    });
  }

  /** The deprecated API key, as it was shown. */
  apiKey({ appId, sealedApiKey }: CreatedApp): string {
    return this.open(appId, 'API key', sealedApiKey);
  }

  /**
   * The name that a player has inside of us: 32 hex digits, which tell nothing of the studio's own id
   * without the app's key (rules/storage 6).
   */
  pseudonym(
    app: Pick<CreatedApp, 'appId' | 'sealedPseudonymKey'>,
    externalAccountId: string,
  ): string {
    return this.#hash(app, externalAccountId).subarray(0, PSEUDONYM_BYTES).toString('hex');
  }

  /** The key of hashes of commands: it follows from a key that is never rotated (rules/storage 15). */
  commandHashKey(app: Pick<CreatedApp, 'appId' | 'sealedPseudonymKey'>): Buffer {
    return this.#hash(app, 'subledger command hashes');
  }

  /**
   * Opens a sealed text of the app.
   *
   * @throws Fault `undecodable` when it was sealed for another app or purpose.
   */
  open(appId: string, purpose: SecretPurpose, sealed: string): string {
    // A secret that was opened for one app or purpose must not be found for another.
    const key = JSON.stringify([appId, purpose, sealed]);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const text = this.sealing.open(sealed, { appId, purpose });
    this.#opened.set(key, text);
    return text;
  }

  #ingressKey(app: CreatedApp, sealed: string): Buffer {
    const keys = this.#ingressKeys.get(app) ?? new Map<string, Buffer>();
    this.#ingressKeys.set(app, keys);
    const open = () => Buffer.from(this.open(app.appId, 'ingress secret', sealed), 'base64');
    const key = keys.get(sealed) ?? open();
    keys.set(sealed, key);
    return key;
  }

  #hash(
    { appId, sealedPseudonymKey }: Pick<CreatedApp, 'appId' | 'sealedPseudonymKey'>,
    text: string,
  ): Buffer {
    const key = Buffer.from(this.open(appId, 'pseudonym key', sealedPseudonymKey), 'base64');
    return createHmac('sha256', key).update(text).digest();
  }
}

export function createAppSecrets(seal: Seal): AppSecrets {
  return new AppSecrets(seal);
}

/** The app that a deprecated API key names; the key itself must still be compared. */
export function appIdOfApiKey(apiKey: string): string | undefined {
  const [appId, random, rest] = Buffer.from(apiKey, 'base64').toString('utf8').split(':');
  return appId !== undefined && random !== undefined && rest === undefined ? appId : undefined;
}
