import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { quoteCurrency } from '#domain/subscription';
import { APP_DIRECTORY, CommandContexts } from '#nest';
import type { AppDirectory, PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../../tokens.js';
import type { CurrencyChangeListDto, CurrencyChangesQuery } from '../currency-change.dto.js';
import { CurrencyMoves } from '../currency-moves.js';
import { renderMove, renderStay } from '../render-currency-change.js';

/** A page of previews of a move to another currency (rules/lifecycle 14). */
export class PreviewCurrencyChanges extends Query<CurrencyChangeListDto> {
  constructor(
    readonly appId: string,
    readonly asked: CurrencyChangesQuery,
  ) {
    super();
  }
}

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
