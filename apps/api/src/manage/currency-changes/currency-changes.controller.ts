import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../../auth/allow.decorator.js';
import { ConsistentRead } from '../../http/consistency.guard.js';
import { ChangeCurrencies, ChangeCurrenciesHandler } from './commands/change-currencies.js';
import {
  ChangeCurrenciesBody,
  CurrencyChangeListDto,
  CurrencyChangesQuery,
} from './currency-change.dto.js';
import {
  PreviewCurrencyChanges,
  PreviewCurrencyChangesHandler,
} from './queries/preview-currency-changes.js';

/** The use cases behind the endpoints; the module provides them. */
export const CURRENCY_CHANGE_HANDLERS = [ChangeCurrenciesHandler, PreviewCurrencyChangesHandler];

/** How a studio ends a currency (rules/lifecycle 14). */
@ApiTags('management: subscriptions and payments')
@Allow('operator')
@Controller('manage/apps/:appId/currency-changes')
export class CurrencyChangesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Previews a move of subscriptions off a currency, and changes nothing. The answer has which of a page would move,
   * from which charge on, the amounts now and then, and why the others stay.
   */
  @Get()
  @Refuses('LIST_ORDER_CHANGED')
  @ConsistentRead('player')
  preview(
    @Param('appId') appId: string,
    @Query() query: CurrencyChangesQuery,
  ): Promise<CurrencyChangeListDto> {
    return this.queries.execute(new PreviewCurrencyChanges({ appId, asked: query }));
  }

  /**
   * Moves the subscriptions of a page to another currency, each with its next renewal. The webhook
   * `subscription.currency_change_scheduled` tells the studio of each; those that stay are as they were. A repetition
   * moves none twice.
   */
  @PostOk()
  @Refuses('LIST_ORDER_CHANGED')
  @ApiCreationHeaders()
  change(
    @Body() body: ChangeCurrenciesBody,
    @CommandContext() context: CommandContext,
  ): Promise<CurrencyChangeListDto> {
    return this.commands.execute(new ChangeCurrencies({ body, context }));
  }
}
