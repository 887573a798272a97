import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '#domain/event';
import { type PaymentLine, sumLines, totalTax } from '#domain/payment';
import type { StudioNames } from '#domain/personal-data';
import {
  type CurrencyStays,
  quoteCurrency,
  renewedPlan,
  type StartedSubscription,
} from '#domain/subscription';
import { APP_DIRECTORY, CommandContexts, queryWith } from '#nest';
import type { AppDirectory, PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../../tokens.js';
import type {
  CurrencyChangeDto,
  CurrencyChangeListDto,
  CurrencyChangesQuery,
  CurrencyChargeDto,
} from '../currency-change.dto.js';
import { CurrencyMoves } from '../currency-moves.js';

/** A move that is made, or would be: the lines of the next charge without it, and with it. */
interface Move {
  readonly effectiveAt: Instant;
  readonly before: readonly PaymentLine[];
  readonly after: readonly PaymentLine[];
}

/** A subscription that moves to another currency. */
export function renderMove(
  subscription: StartedSubscription,
  names: StudioNames,
  { effectiveAt, before, after }: Move,
): CurrencyChangeDto {
  return {
    ...describe(subscription, names),
    ...{ moves: true, reason: null, effectiveAt },
    ...{ before: renderCharge(before), after: renderCharge(after) },
  };
}

/** A subscription that stays in its currency. */
export function renderStay(
  subscription: StartedSubscription,
  names: StudioNames,
  reason: CurrencyStays,
): CurrencyChangeDto {
  return {
    ...describe(subscription, names),
    ...{ moves: false, reason, effectiveAt: null, before: null, after: null },
  };
}

function describe(subscription: StartedSubscription, { accountId }: StudioNames) {
  const { subscriptionId } = subscription;
  return {
    subscriptionId,
    externalAccountId: accountId,
    planId: renewedPlan(subscription).planId,
  };
}

function renderCharge(lines: readonly PaymentLine[]): CurrencyChargeDto {
  const { currency, amountMinor } = sumLines(lines);
  const totalTaxAmountCents = totalTax(lines)?.amount.amountMinor ?? '0';
  return { currency, amountCents: amountMinor, totalTaxAmountCents };
}

/** A page of previews of a move to another currency (rules/lifecycle 14). */
export class PreviewCurrencyChanges extends queryWith<
  { appId: string; asked: CurrencyChangesQuery },
  CurrencyChangeListDto
>() {}

/** The command's decision for each subscription, without its consequences. */
@QueryHandler(PreviewCurrencyChanges)
export class PreviewCurrencyChangesHandler implements IQueryHandler<PreviewCurrencyChanges> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly moves: CurrencyMoves,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ appId, asked }: PreviewCurrencyChanges): Promise<CurrencyChangeListDto> {
    const now = await this.apps.now(await this.contexts.requireApp(appId));
    const { subscriptions, nextPageToken } = await this.moves.findPage(appId, asked);
    const moveFor = await this.moves.prepare(asked, { appId, now });
    const shown = await Promise.all(
      subscriptions.map(async (subscription) => {
        const quoted = quoteCurrency(subscription, await moveFor(subscription));
        const names = await this.personalData.names(subscription);
        if (!quoted.moves) return renderStay(subscription, names, quoted.reason);
        const { before, after } = quoted;
        const move = { effectiveAt: after.dueAt, before: before.lines, after: after.lines };
        return renderMove(subscription, names, move);
      }),
    );
    return { subscriptions: shown, nextPageToken };
  }
}
