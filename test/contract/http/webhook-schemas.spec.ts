import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { WEBHOOK_TYPES } from '#webhooks';
import { golden, goldenNames } from '../golden-files.js';
import { AJV_OPTIONS, withClosedObjects } from './openapi-document.js';

interface Described {
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly components: Document['components'];
}

interface Webhook {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: { readonly content: object };
}

// Tests are run in the folder of the repository.
const file = path.resolve('docs/openapi/openapi.json');
const described = JSON.parse(readFileSync(file, 'utf8')) as Described;
let api: OpenAPIBackend;

/** The validator knows paths alone: each body is held to it as an answer of one. */
beforeAll(async () => {
  const paths = Object.entries(described.webhooks).map(([type, { post }]) => {
    const responses = { 200: { description: '', content: post.requestBody.content } };
    return [`/${type}`, { get: { operationId: type, responses } }] as const;
  });
  const document = { openapi: '3.1.0', info: { title: '', version: '' } };
  const definition = withClosedObjects({
    ...document,
    paths: Object.fromEntries(paths),
    components: described.components,
  }) as Document;
  api = new OpenAPIBackend({ definition, quick: true, ajvOpts: AJV_OPTIONS });
  await api.init();
});

function findings(type: string, body: unknown): unknown {
  const operation = api.getOperation(type);
  if (operation === undefined) throw new Error(`${type} is not documented`);
  return api.validateResponse(body, operation, 200).errors ?? [];
}

describe('the document of webhooks', () => {
  it('has every type that can be asked for', () => {
    expect(Object.keys(described.webhooks)).toEqual([...WEBHOOK_TYPES]);
  });

  it('shows the golden message of each type, and requires what is always there', () => {
    for (const [type, { post }] of Object.entries(described.webhooks)) {
      const { content } = post.requestBody as { content: Record<string, { example: object }> };
      const message = JSON.parse(golden('webhooks', type, '')) as Record<string, object>;
      expect([type, content['application/json']?.example]).toEqual([type, message]);
      const part = 'eventData' in message ? 'eventData' : 'purchaseSucceeded';
      for (const field of ['regionCode', 'ipAddress']) {
        const { [field]: there, ...others } = (message[part] ?? {}) as Record<string, unknown>;
        if (there === undefined) continue;
        expect([type, field, findings(type, { ...message, [part]: others })]).not.toEqual([
          ...[type, field, []],
        ]);
      }
    }
  });

  it.each(['webhooks', 'samples'] as const)('describes the golden %s', (folder) => {
    for (const name of goldenNames(folder)) {
      const body = JSON.parse(golden(folder, name, '')) as { type: string };
      expect([name, findings(body.type, body)]).toEqual([name, []]);
    }
  });

  it('has nothing that was made up: a field more is a finding, and one that is missing', () => {
    const body = JSON.parse(golden('webhooks', 'payment.succeeded', '')) as { data: object };
    const more = { ...body, data: { ...body.data, extra: 1 } };
    expect(findings('payment.succeeded', more)).not.toEqual([]);
    expect(findings('payment.succeeded', { type: 'payment.succeeded' })).not.toEqual([]);
  });

  it('names every header of rules/webhooks 4', () => {
    for (const { post } of Object.values(described.webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
        'service-hmac-signature',
        'service-retry-count',
        'service-event-sequence',
      ]);
    }
  });
});
