import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../auth/allow.decorator.js';
import { CreateWebshopLink, CreateWebshopLinkHandler } from './commands/create-webshop-link.js';
import { CreateWebshopLinkBody, WebshopLinkDto } from './webshop-link.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const WEBSHOP_LINK_HANDLERS = [CreateWebshopLinkHandler];

@ApiTags('webshop')
@Allow('app')
@ApiCreationHeaders()
@Controller('sdk/server/webshop-links')
export class WebshopLinksController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes a link that opens the webshop for one player, once, within five minutes (rules/webshop 1). */
  @PostOk()
  @Refuses('REVISION_MISMATCH')
  create(
    @Body() body: CreateWebshopLinkBody,
    @CommandContext() context: CommandContext,
  ): Promise<WebshopLinkDto> {
    return this.commands.execute(new CreateWebshopLink({ link: body, context }));
  }
}
