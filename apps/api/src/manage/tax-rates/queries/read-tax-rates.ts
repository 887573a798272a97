import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import { taxRatesAggregate, taxRatesInForce, type TaxRatesVersion } from '#domain/pricing';
import { answer, APP_DIRECTORY, CommandContexts, Ledger, notFound, queryWith } from '#nest';
import type { AppDirectory } from '#tenancy';
import { cutPage, type PageTokens } from '../../../http/page-token.js';
import type { PageQuery } from '../../../http/page.dto.js';
import { taxVersionHeader } from '../../../prices/conversion-source.decorator.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import { newestFirst, versionNumber } from '../../versions.js';
import type { TaxRatesDto, TaxRatesVersionDto, TaxRatesVersionListDto } from '../tax-rates.dto.js';

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

/** The rates in force, now or at a moment of the past; none before the first were set. */
export class GetTaxRates extends queryWith<
  { appId: string; at?: string | undefined },
  TaxRatesDto
>() {}

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

/** The rates of one version. */
export class GetTaxRatesVersion extends queryWith<
  { appId: string; version: string },
  TaxRatesDto
>() {}

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

/** A page of all versions of the rates, newest first. */
export class ListTaxRatesVersions extends queryWith<
  { appId: string; page: PageQuery },
  TaxRatesVersionListDto
>() {}

@QueryHandler(ListTaxRatesVersions)
export class ListTaxRatesVersionsHandler implements IQueryHandler<ListTaxRatesVersions> {
  constructor(
    private readonly history: TaxRatesHistory,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListTaxRatesVersions): Promise<TaxRatesVersionListDto> {
    const { state, revision } = await this.history.load(appId);
    const list = JSON.stringify(['tax rates', appId]);
    const { sorted, keyOf } = newestFirst(state.versions);
    const { items, nextPageToken } = cutPage(sorted, keyOf, page, list, this.pageTokens);
    return answer({ versions: items.map(renderVersion), nextPageToken }, { revision });
  }
}

function renderVersion(version: TaxRatesVersion): TaxRatesVersionDto {
  const { rates, effectiveFrom, setBy, setAt } = version;
  return { version: version.version, rateCount: rates.length, effectiveFrom, setBy, setAt };
}
