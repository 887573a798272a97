import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { laterInstant, parseInstant } from '#domain/calendar';
import { type TaxRate, taxRatesAggregate, taxRatesInForce } from '#domain/pricing';
import { answer, type CommandContext, commandWith, Ledger } from '#nest';
import type { PriceBooks } from '#price-books';
import { taxVersionHeader } from '../../../prices/conversion-source.decorator.js';
import { PRICE_BOOKS } from '../../../tokens.js';
import type { TaxRateDto, TaxRatesDto } from '../tax-rates.dto.js';

/** Puts all rates in the place of those before, from now on or from a later moment (rules/prices 5). */
export class SetTaxRates extends commandWith<
  { wanted: TaxRatesDto; context: CommandContext },
  TaxRatesDto
>() {}

@CommandHandler(SetTaxRates)
export class SetTaxRatesHandler implements ICommandHandler<SetTaxRates> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PRICE_BOOKS) private readonly books: PriceBooks,
  ) {}

  async execute({ wanted, context }: SetTaxRates): Promise<TaxRatesDto> {
    const rates = wanted.rates.map(toTaxRate);
    const effectiveFrom = parseInstant(wanted.effectiveFrom ?? '');
    const { appId, now, actor: setBy } = context;
    const scheduled = effectiveFrom === undefined ? {} : { effectiveFrom };
    const command = { kind: 'SetTaxRates', rates, ...scheduled, setBy, now } as const;
    const result = await this.ledger.execute(taxRatesAggregate, appId, command, context);
    const newest = result.state.versions.at(-1);
    // The newest may be dated after `now`, where the clock of another machine is ahead (rules/events 3).
    const inForce = taxRatesInForce(result.state, laterInstant(now, newest?.setAt ?? now));
    const made = effectiveFrom === undefined ? inForce : newest;
    await this.books.refresh(appId);
    const headers = taxVersionHeader(made?.version ?? 0);
    return answer({ rates, ...scheduled }, { ...result, headers });
  }
}

/** As it is stored: fields in one order, so that equal rates are equal texts. */
function toTaxRate({ country, region, rate, inclusive }: TaxRateDto): TaxRate {
  return { country, ...(typeof region === 'string' && { region }), rate, inclusive };
}
