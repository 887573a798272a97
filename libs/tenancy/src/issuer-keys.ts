import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CreatedApp, TokenIssuer } from '#domain/app';
import { Fault } from '#platform';

/** Keys are used for so long without a look whether they are still the issuer's. */
export const KEYS_FRESH_MS = 600_000;
/** While their address gives none, they stay good for so long: no token lives longer (rules/api 11). */
export const KEYS_KEPT_MS = 86_400_000;
/** Between two looks at the same address, whatever the tokens are that ask for it. */
export const KEYS_COOLDOWN_MS = 10_000;
/** Keys of all issuers, each some 2 kB in memory; an issuer counts as one beside its own. */
const KEYS_KEPT = 20_000;

/** Gets the keys of an issuer, under the rules of our requests. @throws whatever that fails with. */
export type FetchKeys = (app: CreatedApp, issuer: TokenIssuer) => Promise<JSONWebKeySet>;

/**
 * The keys of apps' token issuers (decision 0016). Each app has its own, so that an address which is slow or
 * wrong holds back the tokens of its own app alone.
 */
export class IssuerKeys {
  readonly #kept = new LRUCache<string, KeptKeys>({
    maxSize: KEYS_KEPT,
    sizeCalculation: ({ count }) => 1 + count,
  });

  /** @param now milliseconds of any beginning. */
  constructor(
    private readonly fetch: FetchKeys,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The keys of an app's issuer, for jose. @throws Fault `unavailable` where they are not known. */
  of(app: CreatedApp, issuer: TokenIssuer): JWTVerifyGetKey {
    const known = this.#kept.get(app.appId);
    const kept = known?.url === issuer.jwksUrl ? known : this.#keep(app, issuer);
    return (header, token) => kept.find(header, token);
  }

  #keep(app: CreatedApp, issuer: TokenIssuer): KeptKeys {
    const kept = new KeptKeys(issuer.jwksUrl, this.now, async () => {
      const set = await this.fetch(app, issuer);
      kept.count = set.keys.length;
      // How many there are is known now; another one may have taken the place meanwhile.
      if (this.#kept.peek(app.appId) === kept) {
        // The same value again would keep its size.
        this.#kept.delete(app.appId);
        this.#kept.set(app.appId, kept);
      }
      return set;
    });
    this.#kept.set(app.appId, kept);
    return kept;
  }
}

type Asked = Parameters<JWTVerifyGetKey>;
type FoundKey = Awaited<ReturnType<JWTVerifyGetKey>>;

/** The keys behind one address, as they were seen last. */
class KeptKeys {
  count = 0;
  #keys: JWTVerifyGetKey | undefined;
  #seenAtMs = -Infinity;
  #askedAtMs = -Infinity;
  #hasFailed = false;
  #underWay: Promise<void> | undefined;

  constructor(
    readonly url: string,
    private readonly now: () => number,
    private readonly fetch: () => Promise<JSONWebKeySet>,
  ) {}

  async find(...asked: Asked): Promise<FoundKey> {
    if (this.#age > KEYS_FRESH_MS) {
      const looked = this.#look();
      // A holder of good keys waits once for an address that fails, and not each time that it is tried.
      if (!this.#hasFailed || this.#age > KEYS_KEPT_MS) await looked;
    }
    try {
      return await this.#require()(...asked);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // It may have been published since.
      await this.#look();
      if (this.#hasFailed) throw outOfReach();
      return await this.#require()(...asked);
    }
  }

  get #age(): number {
    return this.now() - this.#seenAtMs;
  }

  #require(): JWTVerifyGetKey {
    if (this.#keys === undefined || this.#age > KEYS_KEPT_MS) throw outOfReach();
    return this.#keys;
  }

  /** One look at a time, and not too often. Never throws. */
  async #look(): Promise<void> {
    if (this.#underWay === undefined) {
      if (this.now() - this.#askedAtMs < KEYS_COOLDOWN_MS) return;
      this.#askedAtMs = this.now();
      this.#underWay = this.#take().finally(() => (this.#underWay = undefined));
    }
    await this.#underWay;
  }

  async #take(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await this.fetch());
      this.#seenAtMs = this.now();
      this.#hasFailed = false;
    } catch {
      // The fetcher reports why; here it is enough that there are no newer keys.
      this.#hasFailed = true;
    }
  }
}

/** Nothing is known of the token: to call it wrong would make players sign in again, in vain. */
function outOfReach(): Fault {
  const message = "the keys of the app's token issuer are out of reach";
  return new Fault('unavailable', message, { retryable: true, retryAfterMs: KEYS_COOLDOWN_MS });
}
