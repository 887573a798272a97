import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { dunningViolations } from '#domain/app';
import {
  CommandContexts,
  FurtherChecks,
  invalidFields,
  listBadFields,
  type WellFormed,
} from '#nest';
import type { UpdateAppBody } from './app.dto.js';
import { WantedSettings } from './commands/wanted-settings.js';

/** The errors in an app's settings beside their bad fields (rules/api 12). */
@Injectable()
export class AppChecks extends FurtherChecks<UpdateAppBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly wanted: WantedSettings,
  ) {
    super();
  }

  protected async check(
    { dunning, gateway, catalog, tokenIssuer }: WellFormed<UpdateAppBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const { appId } = await this.contexts.ofRequest(request);
    const { graceHours, retryAfterHours } = dunning ?? {};
    const { kind, ...keys } = gateway ?? {};
    const { baseUrl } = catalog ?? {};
    const { jwksUrl } = tokenIssuer ?? {};
    const isPolicy = graceHours !== undefined && retryAfterHours !== undefined;
    const ofDunning = isPolicy ? dunningViolations({ graceHours, retryAfterHours }) : [];
    const others = await listBadFields(
      () => kind && this.wanted.readGateway(appId, { kind, ...keys }),
      () => baseUrl && this.wanted.requireCatalog(appId, baseUrl),
      () => jwksUrl && this.wanted.requireTokenIssuer(appId, jwksUrl),
    );
    throw invalidFields([...ofDunning, ...others]);
  }
}
