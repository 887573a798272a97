import { addMilliseconds, addPeriods } from '#domain/calendar';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { idOf } from '#domain/event';
import type { PersonalTexts } from '#domain/personal-data';
import { noTaxRates } from '#domain/pricing';
import { testClockAggregate } from '#domain/test-clock';
import { type LedgerStore, START } from '#event-store';
import { newId, newUuid, wallClock } from '#platform';
import { WrittenLedger } from '../support/written-ledger.js';
import { measureRate } from './benchmark.js';

/** Buyers at once; each begins with the next purchase when the last one is complete. */
const BUYERS = 16;

/** The events that are waited for: a checkout's, and those of a test clock on its way. */
const COMPLETED = new Set(['checkout_link.completed.v1', 'test_clock.target_reached.v1']);
/** A minute: dates of months are counted from the purchase, and the last one was just before. */
const MARGIN_MS = 60_000;

/** Buys subscriptions as a storefront does, and waits until workers have completed the checkouts. */
export class Purchases {
  readonly #waiting = new Map<string, () => void>();
  readonly #following = new AbortController();
  readonly #linkIds: string[] = [];

  private constructor(
    private readonly store: LedgerStore,
    private readonly ledger: WrittenLedger,
    /** The app that sells. */
    readonly appId: string,
    /** The key with which its backend signs. */
    readonly ingressSecret: string,
  ) {}

  /** A test app with an endpoint that gets every message. */
  static async open(store: LedgerStore, masterKey: Buffer, url: string): Promise<Purchases> {
    const ledger = new WrittenLedger(store, masterKey);
    const { appId, ingressSecret } = await ledger.createApp();
    const purchases = new Purchases(store, ledger, appId, ingressSecret);
    void purchases.#follow();
    await ledger.addEndpoint(appId, url);
    return purchases;
  }

  /** The checkout links whose attempts were acknowledged so far. */
  get linkIds(): readonly string[] {
    return this.#linkIds;
  }

  close(): void {
    this.#following.abort();
  }

  /** One subscription tells of all that is complete: asking for each would be most of the load. */
  async #follow(): Promise<void> {
    const batches = this.store.subscribe({
      after: START,
      categories: [checkoutLinkAggregate.category, testClockAggregate.category],
      batchSize: 256,
      tellsEveryPosition: false,
      signal: this.#following.signal,
    });
    for await (const { events } of batches) {
      for (const { type, streamName } of events) {
        if (COMPLETED.has(type)) this.#waiting.get(idOf(streamName))?.();
      }
    }
  }

  /** As fast as a few buyers can. @returns purchases per second. */
  buy(count: number): Promise<number> {
    return measureRate(count, BUYERS, () => this.buyOne());
  }

  /** Buyers who come one after the other, however long it takes. @returns how long each took, in ms. */
  async buyAtRate(count: number, perSecond: number): Promise<number[]> {
    const startsAtMs = performance.now();
    const purchases: Promise<number>[] = [];
    for (let n = 0; n < count; n += 1) {
      const comesInMs = startsAtMs + (n * 1000) / perSecond - performance.now();
      if (comesInMs > 0) await new Promise((resolve) => setTimeout(resolve, comesInMs));
      const cameAtMs = performance.now();
      purchases.push(this.buyOne().then(() => performance.now() - cameAtMs));
    }
    return Promise.all(purchases);
  }

  /** Lets the app's test clock go on, and waits until it is there: all that fell due has happened. */
  async passMonths(months: number): Promise<void> {
    const wallNow = wallClock.now();
    // Those who bought last fall due last.
    const to = addMilliseconds(addPeriods(wallNow, { value: months, unit: 'month' }, 1), MARGIN_MS);
    const arrived = new Promise<void>((resolve) => this.#waiting.set(this.appId, resolve));
    const command = { kind: 'RequestAdvance', appId: this.appId, to, wallNow } as const;
    const context = this.ledger.context(this.appId);
    await this.ledger.commands.execute(testClockAggregate, this.appId, command, context);
    await arrived;
  }

  /** Resolves when the checkout is complete. */
  async buyOne(paymentMethod = 'pm_ok'): Promise<void> {
    const { completed } = await this.attempt(paymentMethod);
    await completed;
  }

  /** Gives a player a key, as the first link of a player does. @returns the texts of a purchase without any. */
  async register(player: string): Promise<PersonalTexts> {
    const accountId = `player-${player.slice(0, 6)}`;
    return (await this.ledger.registerPlayer(this.appId, accountId, player)).personal;
  }

  /** Resolves when the attempt is acknowledged. @returns a promise of the checkout's completion. */
  async attempt(paymentMethod: string): Promise<{ readonly completed: Promise<void> }> {
    const { commands } = this.ledger;
    const { player, personal } = await this.ledger.registerPlayer(this.appId, newUuid());
    const context = { ...this.ledger.context(this.appId), player };
    const { now } = context;
    const linkId = newId('link', now, player.slice(0, 2));
    const completed = new Promise<void>((resolve) => this.#waiting.set(linkId, resolve));
    const link = { linkId, appId: this.appId, player };
    await commands.execute(
      checkoutLinkAggregate,
      linkId,
      { kind: 'CreateCheckoutLink', link: { ...link, ...offerAt(now), personal } },
      context,
    );
    const attempt = {
      paymentMethod,
      planIsAvailable: true,
      playerIsErased: false,
      taxRates: noTaxRates,
      now,
      wallNow: now,
    };
    await commands.execute(
      checkoutLinkAggregate,
      linkId,
      { kind: 'AttemptCheckout', ...attempt },
      context,
    );
    this.#linkIds.push(linkId);
    return { completed };
  }
}

/** The offer of a link made now. */
export function offerAt(now: string) {
  return {
    offer: {
      planId: 'plan_bench',
      planName: 'Bench',
      planDescription: '',
      bounds: null,
      price: { amountMinor: '999', currency: 'USD' },
      period: { value: 1, unit: 'month' },
      trial: null,
    },
    ...{ regionCode: 'US', language: '', returnUrl: '', personal: {} },
    createdAt: now,
    expiresAt: '2999-01-01T00:00:00.000Z',
  } as const;
}
