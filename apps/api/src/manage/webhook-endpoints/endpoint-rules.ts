import { Inject, Injectable } from '@nestjs/common';
import { checkTarget } from '#egress';
import { APP_DIRECTORY, CommandContexts, cut, type FieldViolation, invalidFields } from '#nest';
import type { AppDirectory } from '#tenancy';
import { SELECTORS } from '#webhooks';
import type { ApiConfig } from '../../config.js';
import { CONFIG } from '../../tokens.js';
import type { CreateWebhookEndpointBody } from './webhook-endpoint.dto.js';

/** Every event becomes a delivery for each endpoint: more than this many is a misuse. */
const MAX_ENDPOINTS = 32;

/** What a new endpoint has to fulfil that depends on its app and on the configuration (rules/webhooks 7). */
@Injectable()
export class EndpointRules {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /** @throws ApiError 3 with every bad field. */
  async require(appId: string, body: CreateWebhookEndpointBody): Promise<void> {
    const { environment } = await this.contexts.requireApp(appId);
    const violations: FieldViolation[] = [];
    const allowInsecure =
      environment === 'test' && this.config.allowInsecureTargets === 'test-apps';
    const target = checkTarget(body.url, { allowInsecure });
    if (!target.ok) violations.push({ field: 'url', description: target.reason });
    const typeViolations = violationsOfTypes(body.eventTypes);
    violations.push(...typeViolations);
    if ((await this.apps.listEndpoints(appId)).length >= MAX_ENDPOINTS) {
      const description = `the app has ${MAX_ENDPOINTS} endpoints already`;
      violations.push({ field: 'url', description });
    }
    if (violations.length === 0) return;
    const metadata = typeViolations.length > 0 ? { validEventTypes: SELECTORS.join(', ') } : {};
    throw invalidFields(violations, { metadata });
  }
}

function violationsOfTypes(eventTypes: readonly string[]): FieldViolation[] {
  return eventTypes.flatMap((type, index) => {
    if (SELECTORS.includes(type)) return [];
    const description = `${JSON.stringify(cut(type))} is none of metadata.validEventTypes`;
    return [{ field: `eventTypes.${index}`, description }];
  });
}
