import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CommandContexts, FurtherChecks, type WellFormed } from '#nest';
import { EndpointRules } from './endpoint-rules.js';
import type { ChangeWebhookEndpointBody } from './webhook-endpoint.dto.js';

/** The errors in the settings of an endpoint, new or changed, beside their bad fields (rules/api 12). */
@Injectable()
export class EndpointChecks extends FurtherChecks<ChangeWebhookEndpointBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly rules: EndpointRules,
  ) {
    super();
  }

  protected async check(
    body: WellFormed<ChangeWebhookEndpointBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { appId } = await this.contexts.ofRequest(request);
    await this.rules.requireSettings(appId, body);
  }
}
