import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LEDGER_SEALED } from '#domain/webhook-endpoint';
import { checkTarget } from '#egress';
import {
  ApiError,
  APP_DIRECTORY,
  CommandContexts,
  cut,
  type FieldViolation,
  FurtherChecks,
  invalidFields,
  type WellFormed,
} from '#nest';
import type { AppDirectory } from '#tenancy';
import { SELECTORS } from '#webhooks';
import type { ApiConfig } from '../../config.js';
import { CONFIG } from '../../tokens.js';
import type {
  ChangeWebhookEndpointBody,
  CreateWebhookEndpointBody,
} from './webhook-endpoint.dto.js';

/** Every event becomes a delivery for each endpoint: more than this many is a misuse. */
const MAX_ENDPOINTS = 32;

/** Rules for an endpoint's settings that depend on its app and on the configuration (rules/webhooks 7). */
@Injectable()
export class EndpointRules {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /**
   * As `requireSettings`, and one more has to be allowed.
   *
   * @throws ApiError 3 with every bad field, or 9 where the app has as many endpoints as an app can have.
   */
  async requireNew(appId: string, body: WellFormed<CreateWebhookEndpointBody>): Promise<void> {
    await this.requireSettings(appId, body);
    if ((await this.apps.listEndpoints(appId)).length < MAX_ENDPOINTS) return;
    throw new ApiError('FAILED_PRECONDITION', {
      reason: 'TOO_MANY_WEBHOOK_ENDPOINTS',
      message: 'The app has as many webhook endpoints as an app can have. Delete one first.',
      metadata: { limit: String(MAX_ENDPOINTS) },
    });
  }

  /** @throws ApiError 3 with every bad field. */
  async requireSettings(
    appId: string,
    { url, eventTypes = [] }: WellFormed<ChangeWebhookEndpointBody>,
  ): Promise<void> {
    const typeViolations = violationsOfTypes(eventTypes);
    const urlViolations = url === undefined ? [] : await this.violationsOfUrl(appId, url);
    const violations = [
      ...urlViolations,
      ...typeViolations,
      ...(await this.violationsOfWitness(appId, eventTypes)),
    ];
    if (violations.length === 0) return;
    const metadata = typeViolations.length > 0 ? { validEventTypes: SELECTORS.join(', ') } : {};
    throw invalidFields(violations, { metadata });
  }

  /** The whole ledger is witnessed where its operators say so (rules/evidence 10). */
  private async violationsOfWitness(
    appId: string,
    eventTypes: readonly string[],
  ): Promise<FieldViolation[]> {
    const index = eventTypes.indexOf(LEDGER_SEALED);
    if (index === -1 || (await this.contexts.requireApp(appId)).sealWitness) return [];
    const description = `"${LEDGER_SEALED}" is for apps that may witness the ledger: an operator for all apps sets sealWitness`;
    return [{ field: `eventTypes.${index}`, description }];
  }

  private async violationsOfUrl(appId: string, url: string): Promise<FieldViolation[]> {
    const { environment } = await this.contexts.requireApp(appId);
    const allowInsecure =
      environment === 'test' && this.config.allowInsecureTargets === 'test-apps';
    const target = checkTarget(url, { allowInsecure, ports: this.config.webhookPorts });
    return target.ok ? [] : [{ field: 'url', description: target.reason }];
  }
}

function violationsOfTypes(eventTypes: readonly string[]): FieldViolation[] {
  return eventTypes.flatMap((type, index) => {
    if (SELECTORS.includes(type)) return [];
    const description = `${JSON.stringify(cut(type))} is none of metadata.validEventTypes`;
    return [{ field: `eventTypes.${index}`, description }];
  });
}

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
