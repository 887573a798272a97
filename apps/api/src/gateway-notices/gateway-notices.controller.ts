import { Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { CommandSource, PostOk } from '#nest';
import { Public } from '../auth/allow.decorator.js';
import { ReceiveNotice, ReceiveNoticeHandler } from './commands/receive-notice.js';

/** The use cases behind the endpoints; the module provides them. */
export const GATEWAY_NOTICE_HANDLERS = [ReceiveNoticeHandler];

/**
 * The route of the gateways' notices (rules/payments 15). It is open, since each gateway has a signature of its own
 * over the bytes, which its part of the port verifies before anything is believed.
 */
@ApiExcludeController()
@Public()
@Controller('gateways/:kind/:appId/notices')
export class GatewayNoticesController {
  constructor(private readonly commands: CommandBus) {}

  /** Answered with success only once the notice's event is in the event store. */
  @PostOk()
  async receive(
    @Param('kind') kind: string,
    @Param('appId') appId: string,
    @CommandSource() { id, headers, rawBody }: CommandSource,
  ): Promise<object> {
    const body = rawBody ?? Buffer.alloc(0);
    await this.commands.execute(
      new ReceiveNotice({ kind, received: { appId, headers, body }, requestId: id }),
    );
    return {};
  }
}
