import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../../auth/allow.decorator.js';
import {
  CloseDispute,
  CloseDisputeHandler,
  OpenDispute,
  OpenDisputeHandler,
} from './commands/sandbox-disputes.js';
import {
  CloseDisputeBody,
  ClosedDisputeDto,
  OpenDisputeBody,
  OpenedDisputeDto,
} from './sandbox.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const SANDBOX_HANDLERS = [CloseDisputeHandler, OpenDisputeHandler];

@ApiTags('management: sandbox')
@Allow('operator')
@Controller('manage/apps/:appId/sandbox/disputes')
export class SandboxController {
  constructor(private readonly commands: CommandBus) {}

  /** A payment of the sandbox is disputed, as a card network would do (rules/payments 14). */
  @PostOk()
  @Refuses(
    'DISPUTE_EXCEEDS_REMAINING',
    'GATEWAY_NOT_CONFIGURED',
    'PAYMENT_NOT_CAPTURED',
    'PAYMENT_NOT_DISPUTABLE',
    'PAYMENT_NOT_FOUND',
    'REVISION_MISMATCH',
    'TOO_MANY_DISPUTES',
  )
  @ApiCreationHeaders()
  open(
    @Body() { paymentId, amountCents }: OpenDisputeBody,
    @CommandContext() context: CommandContext,
  ): Promise<OpenedDisputeDto> {
    return this.commands.execute(new OpenDispute({ paymentId, amountCents, context }));
  }

  /** A dispute is decided: won, the money stays; lost, it is gone. */
  @PostOk(':id/close')
  @Refuses(
    'DISPUTE_CLOSED',
    'DISPUTE_NOT_FOUND',
    'GATEWAY_NOT_CONFIGURED',
    'PAYMENT_NOT_FOUND',
    'REVISION_MISMATCH',
    'TOO_MANY_DISPUTES',
  )
  @ApiCreationHeaders()
  close(
    @Param('id') id: string,
    @Body() { won }: CloseDisputeBody,
    @CommandContext() context: CommandContext,
  ): Promise<ClosedDisputeDto> {
    return this.commands.execute(new CloseDispute({ disputeId: id, won, context }));
  }
}
