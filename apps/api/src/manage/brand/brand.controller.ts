import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext } from '#nest';
import { Allow, ApiCommandHeaders } from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead } from '../../http/consistency.guard.js';
import { BrandDto } from './brand.dto.js';
import { GetBrand, GetBrandHandler, SetBrand, SetBrandHandler } from './brand.handlers.js';

/** The use cases behind the endpoints; the module provides them. */
export const BRAND_HANDLERS = [SetBrandHandler, GetBrandHandler];

@ApiTags('management: apps')
@Allow('operator')
@Controller('manage/apps/:appId/brand')
export class BrandController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Says how the game presents itself on pages for players, in the place of all that was said before. */
  @Put()
  @ApiCommandHeaders()
  set(@Body() body: BrandDto, @CommandContext() context: CommandContext): Promise<BrandDto> {
    return this.commands.execute(new SetBrand({ brand: body, context }));
  }

  /** The brand on pages for players; of an app without a brand, its own name. */
  @Get()
  @ConsistentDirectoryRead()
  shown(@Param('appId') appId: string): Promise<BrandDto> {
    return this.queries.execute(new GetBrand({ appId }));
  }
}
