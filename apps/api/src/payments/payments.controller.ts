import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appCallerOf, notFound, setRevision } from '#nest';
import type { ReadModels } from '#projection-engine';
import { renderPayment } from '#representations';
import { Callers } from '../auth/callers.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { READ_MODELS } from '../tokens.js';
import { PaymentDto } from './payment.dto.js';

@ApiTags('payments')
@ConsistentRead()
@Callers('app')
@Controller('sdk/server/payments')
export class PaymentsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /** One payment by its id. */
  @Get(':id')
  @AnswersWith('ETag')
  async byId(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<PaymentDto> {
    const found = await this.readModels.payment(id);
    if (found === undefined || found.state.appId !== appCallerOf(request).appId) {
      throw notFound('payment', id);
    }
    setRevision(reply, found.revision);
    return renderPayment(found.state);
  }
}
