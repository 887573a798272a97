import { Injectable } from '@nestjs/common';
import { taxRatesAggregate, type TaxRatesVersion } from '#domain/pricing';
import { CommandContexts, Ledger } from '#nest';

/** Reads the versions of an app's tax rates from the store. */
@Injectable()
export class TaxRatesHistory {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
  ) {}

  /** @throws ApiError when there is no such app. */
  async load(
    appId: string,
  ): Promise<{ state: { readonly versions: readonly TaxRatesVersion[] }; revision: number }> {
    await this.contexts.requireApp(appId);
    return this.ledger.load(taxRatesAggregate, appId);
  }
}
