import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import { taxRatesInForce } from '#domain/pricing';
import { answer, APP_DIRECTORY, CommandContexts } from '#nest';
import type { AppDirectory } from '#tenancy';
import { taxVersionHeader } from '../../../prices/price-headers.js';
import { TaxRatesHistory } from '../tax-rates-history.js';
import type { TaxRatesDto } from '../tax-rates.dto.js';

/** The rates in force, now or at a moment of the past; none before the first were set. */
export class GetTaxRates extends Query<TaxRatesDto> {
  constructor(
    readonly appId: string,
    readonly at?: string,
  ) {
    super();
  }
}

@QueryHandler(GetTaxRates)
export class GetTaxRatesHandler implements IQueryHandler<GetTaxRates> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly history: TaxRatesHistory,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
  ) {}

  async execute({ appId, at }: GetTaxRates): Promise<TaxRatesDto> {
    const app = await this.contexts.requireApp(appId);
    const moment = parseInstant(at ?? '') ?? (await this.apps.now(app));
    const { state, revision } = await this.history.load(appId);
    const inForce = taxRatesInForce(state, moment);
    const headers = taxVersionHeader(inForce?.version ?? 0);
    return answer({ rates: [...(inForce?.rates ?? [])] }, { revision, headers });
  }
}
