import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { answer, notFound } from '#nest';
import { taxVersionHeader } from '../../../prices/price-headers.js';
import { versionNumber } from '../../versions.js';
import { TaxRatesHistory } from '../tax-rates-history.js';
import type { TaxRatesDto } from '../tax-rates.dto.js';

/** The rates of one version. */
export class GetTaxRatesVersion extends Query<TaxRatesDto> {
  constructor(
    readonly appId: string,
    readonly version: string,
  ) {
    super();
  }
}

@QueryHandler(GetTaxRatesVersion)
export class GetTaxRatesVersionHandler implements IQueryHandler<GetTaxRatesVersion> {
  constructor(private readonly history: TaxRatesHistory) {}

  async execute({ appId, version: number }: GetTaxRatesVersion): Promise<TaxRatesDto> {
    const { state } = await this.history.load(appId);
    const found = state.versions.find(({ version }) => version === versionNumber(number));
    if (found === undefined) throw notFound('tax rates version', number);
    const { rates, effectiveFrom, version } = found;
    return answer({ rates: [...rates], effectiveFrom }, { headers: taxVersionHeader(version) });
  }
}
