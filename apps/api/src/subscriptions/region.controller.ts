import { Body, Controller, Param, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CommandContext } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../auth/allow.decorator.js';
import { ChangeRegion, ChangeRegionHandler } from './commands/change-region.js';
import { ChangeRegionBody, NextChargeDto, SubscriptionDto } from './subscription.dto.js';

/** The use cases behind the endpoint; the module provides them. */
export const REGION_HANDLERS = [ChangeRegionHandler];

/** The changes to a subscription that the studio's backend may make, and its player may not. */
@ApiTags('subscriptions')
@Allow('app')
@ApiCommandHeaders()
@ApiExtraModels(SubscriptionDto, NextChargeDto)
@Controller('sdk/server/subscriptions/:id')
export class RegionController {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Changes the region of a subscription: tax goes by it from the next charge on (rules/lifecycle 13). With `preview`
   * the answer has that charge, and nothing is changed.
   */
  @Patch()
  @Refuses(
    'CHARGE_PENDING',
    'SUBSCRIPTION_CANCELED',
    'SUBSCRIPTION_EXPIRED',
    'SUBSCRIPTION_NOT_FOUND',
  )
  @ApiOkResponse({
    schema: {
      oneOf: [{ $ref: getSchemaPath(SubscriptionDto) }, { $ref: getSchemaPath(NextChargeDto) }],
    },
  })
  change(
    @Param('id') id: string,
    @Body() body: ChangeRegionBody,
    @CommandContext() context: CommandContext,
  ): Promise<SubscriptionDto | NextChargeDto> {
    return this.commands.execute(new ChangeRegion({ id, body, context }));
  }
}
