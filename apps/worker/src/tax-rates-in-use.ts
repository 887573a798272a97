import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import type { CommandExecutor, LiveAggregates } from '#event-store';

/**
 * The tax rates of apps, for events in the order of the log. Memory follows them, and is waited for before events are
 * worked on: rates that were set before an event hold for it.
 */
export class TaxRatesInUse {
  constructor(
    private readonly live: Pick<LiveAggregates, 'get'>,
    private readonly commands: Pick<CommandExecutor, 'load'>,
  ) {}

  /** @throws Fault of the store, or `undecodable`. */
  async load(appId: string): Promise<TaxRates> {
    const known = await this.live.get(taxRatesAggregate, appId);
    if (!known.isFrozen) return known.state;
    // The stream goes on with an event that this release cannot read: reading it says so.
    return (await this.commands.load(taxRatesAggregate, appId)).state;
  }
}
