import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import { type CreatedOrder, type OrderCommand, quoteOrder } from '#domain/order';
import { playerAggregate } from '#domain/player';
import { taxRatesAggregate } from '#domain/pricing';
import { CLOCK, CommandContexts, Ledger } from '#nest';
import { type Clock, SharedReads } from '#platform';
import type { PersonalData } from '#tenancy';
import { chooseRegion, type PlayerOrigin } from '../origin/player-origin.js';
import { PERSONAL_DATA } from '../tokens.js';

type ClaimOrder = Extract<OrderCommand, { readonly kind: 'ClaimOrder' }>;
/** A click as the order decides on it, whether or not something is to be paid. */
type OrderClick = Omit<ClaimOrder, 'kind'>;

/**
 * Describes clicks on the buttons of orders' pages: the order's present amount, the player's region, and the player.
 */
@Injectable()
export class OrderClicks {
  /** As the store has them: clicks of one moment share a read. */
  private readonly taxRates = new SharedReads(
    async (appId: string) => (await this.ledger.load(taxRatesAggregate, appId)).state,
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPresent'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async describe(
    order: CreatedOrder,
    choice: { readonly origin: PlayerOrigin; readonly emailMarketingOptIn: boolean },
    now: Instant,
  ): Promise<OrderClick> {
    const { appId, player, items } = order;
    const { origin, emailMarketingOptIn } = choice;
    const [taxRates, { state: owner }, personal] = await Promise.all([
      this.taxRates.load(appId),
      // As the store has it now: nothing is to begin under a key that is gone (rules/storage 16).
      this.ledger.load(playerAggregate, player),
      this.personalData.sealPresent({ appId, player }, { ipAddress: origin.address }),
    ]);
    const app = await this.contexts.requireApp(appId);
    const regionCode = chooseRegion(order.regionCode, origin, app);
    const { currency } = order.quote.amount;
    const quote = quoteOrder(items, currency, { regionCode, taxRates, now });
    const playerIsErased = owner.status === 'erased';
    return { quote, emailMarketingOptIn, personal, playerIsErased, now, wallNow: this.clock.now() };
  }
}
