import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Route } from '#nest';
import { createUnconnectedApi } from './unconnected-api.js';

/** What is served beside the API: pages, their files, and what operations look at. */
const NOT_DOCUMENTED = [
  // Its requests are what each gateway sends.
  '/gateways/:kind/:appId/notices',
  // A page for operators' browsers (rules/operators).
  '/manage/queues',
  '/manage/queues/*',
  '/',
  '/docs',
  '/docs/',
  '/docs/*',
  '/docs/LICENSE',
  '/docs/docs/swagger-ui-init.js',
  '/docs/index.html',
  '/docs/swagger-ui-init.js',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/readyz',
];

/** As every error is (rules/api 12), with a sentence. */
const ERROR: unknown = expect.objectContaining({
  code: expect.any(Number),
  message: expect.stringMatching(/^[A-Z].*\.$/),
  details: expect.arrayContaining([expect.objectContaining({ domain: 'subledger' })]),
});

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

let app: NestFastifyApplication;
let document: OpenAPIObject;
let served: readonly Route[];
let operations: { name: string; operation: Operation }[];

beforeAll(async () => {
  ({ app, routes: served } = await createUnconnectedApi());
  document = (await app.inject('/openapi.json')).json();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
});

afterAll(async () => app.close());

describe('the OpenAPI document', () => {
  it('has every route that is served, but for those that are left out by name, and no other', () => {
    const routes = served
      .filter(({ method, url }) => method !== 'HEAD' && !NOT_DOCUMENTED.includes(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name).sort()).toEqual([...new Set(routes)].sort());
    const urls = new Set(served.map(({ url }) => url));
    expect(NOT_DOCUMENTED.filter((url) => !urls.has(url))).toEqual([]);
  });

  it('says of each operation what it does, in one line, under a name of its own', () => {
    for (const { name, operation } of operations) {
      const { summary = '', operationId = '', tags = [] } = operation;
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^\n]{5,120}[^.]$/)]);
      expect(`${summary} ${operation.description ?? ''}`).not.toMatch(/decision \d|rules\//);
      expect(operationId).toMatch(/^[a-z][A-Za-z]*_[a-z][A-Za-z]*$/);
      const known = (document.tags ?? []).map((tag) => tag.name);
      expect(tags.filter((tag) => !known.includes(tag))).toEqual([]);
      expect(tags).toHaveLength(1);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says who may call, how it is answered, and how it is refused', () => {
    for (const { name, operation } of operations) {
      expect([name, operation.security?.length === 0]).toEqual([name, false]);
      const statuses = Object.keys(operation.responses);
      expect([name, ...statuses]).toEqual(expect.arrayContaining(['400', '401', '500', '503']));
      const accepted = Object.entries(operation.responses).filter(([status]) => status < '300');
      expect([name, accepted.length]).not.toContain(0);
      for (const [status, answer] of accepted) {
        const content = answer !== undefined && 'content' in answer ? answer.content : undefined;
        expect([name, status, content === undefined]).toEqual([name, status, status === '204']);
      }
    }
  });

  it('shows a real request for each operation, and each of its answers, refusals among them', () => {
    const contents = (described: object | undefined): object[] =>
      described !== undefined && 'content' in described
        ? Object.values(described.content as Record<string, object>)
        : [];
    for (const { name, operation } of operations) {
      const { requestBody, responses } = operation;
      const shown = contents(requestBody);
      for (const answer of Object.values(responses)) shown.push(...contents(answer));
      for (const content of shown) expect([name, 'example' in content]).toEqual([name, true]);
    }
    for (const [name, answer] of Object.entries(document.components?.responses ?? {})) {
      for (const content of contents(answer)) {
        expect([name, content]).toEqual([name, expect.objectContaining({ example: ERROR })]);
      }
    }
  });

  it('shows a refusal with one of its reasons, and says what each of them means', () => {
    for (const { name, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || answer === undefined || !('content' in answer)) continue;
        const [media] = Object.values(answer.content as Record<string, { example: unknown }>);
        expect([name, status, media?.example]).toEqual([name, status, ERROR]);
        const [reason] = /(?<="reason":")\w+/.exec(JSON.stringify(media?.example)) ?? [];
        expect(reasonsIn(operation, status)).toContain(reason);
      }
    }
    const { responses = {} } = document.components ?? {};
    const described = [responses, ...operations.map(({ operation }) => operation.responses)];
    const lines = described
      .flatMap((each) => Object.entries(each))
      .flatMap(([status, answer]) => (/404|NotFound/.test(status) ? [] : [JSON.stringify(answer)]))
      .flatMap((text) => text.match(/- `[A-Z_]+`[^\\"]*/g) ?? []);
    expect(lines.filter((line) => !/`: [A-Z]/.test(line))).toEqual([]);
  });

  it('says which reasons an operation can give, and no others (decision 0141)', () => {
    const cancel = findOperation('POST /sdk/subscriptions/{id}/cancel');
    expect(reasonsIn(cancel, '400')).toEqual(
      expect.arrayContaining(['INVALID_FIELDS', 'SUBSCRIPTION_EXPIRED']),
    );
    // The same stream decides on these, for other commands.
    for (const other of ['PLAN_UNCHANGED', 'SUBSCRIPTION_NOT_CANCELED', 'CHARGE_PENDING']) {
      expect(reasonsIn(cancel, '400')).not.toContain(other);
    }
    expect(reasonsIn(cancel, '404')).toEqual(['SUBSCRIPTION_NOT_FOUND']);
    expect(reasonsIn(cancel, '412')).toEqual(['REVISION_MISMATCH']);
    expect(reasonsIn(cancel, '409')).toContain('IDEMPOTENCY_KEY_REUSED');
    const reactivate = findOperation('POST /sdk/subscriptions/{id}/reactivate');
    expect(reasonsIn(reactivate, '400')).toContain('SUBSCRIPTION_NOT_CANCELED');
  });

  it('refuses no read as a change is refused, and no player as an operator is', () => {
    for (const { name, operation } of operations) {
      const isRead = name.startsWith('GET ');
      expect([name, '409' in operation.responses]).toEqual([name, !isRead]);
      expect([name, '412' in operation.responses && isRead]).toEqual([name, false]);
      const isOfOperators = reasonsIn(operation, '403').includes('ROLE_NOT_SUFFICIENT');
      expect([name, isOfOperators]).toEqual([name, name.includes(' /manage/')]);
    }
  });

  it('shows a failure of ours where there can be one', () => {
    const { responses = {} } = document.components ?? {};
    expect(JSON.stringify(responses['ServiceUnavailable'])).toMatch(
      /"example":{"code":14,.*RetryInfo.*RequestInfo/,
    );
    expect(JSON.stringify(responses['InternalServerError'])).toMatch(/"example":{"code":13/);
  });

  it('has no fractions, no OpenAPI 3.0 nulls, and amounts as int64 in strings', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"type":"number"');
    expect(text).not.toContain('"nullable"');
    const { PaymentDto } = document.components?.schemas ?? {};
    expect(PaymentDto).toMatchObject({
      properties: { amountCents: { type: 'string', format: 'int64' } },
    });
  });

  it('requires no field that has a default, and no body of which all fields may be left out', () => {
    const { schemas = {} } = document.components ?? {};
    for (const [name, schema] of Object.entries(schemas)) {
      if ('$ref' in schema) continue;
      for (const field of schema.required ?? []) {
        expect([name, field, schema.properties?.[field]]).not.toHaveProperty('2.default');
      }
    }
    const cancel = document.paths['/sdk/subscriptions/{id}/cancel']?.post;
    expect(cancel?.requestBody).toMatchObject({ required: false });
    const create = document.paths['/manage/apps']?.post;
    expect(create?.requestBody).toMatchObject({ required: true });
  });

  it('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, reference = ''] of references) {
      const found = reference
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([reference, found]).not.toContain(undefined);
    }
  });
});

function findOperation(name: string): Operation {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.operation;
}

/** The values of `reason` that are documented for a status. */
function reasonsIn({ responses }: Operation, status: string): string[] {
  const named = responses[status];
  const shared = document.components?.responses ?? {};
  const response =
    named !== undefined && '$ref' in named ? shared[named.$ref.split('/').at(-1) ?? ''] : named;
  const [, list = ''] =
    /"reason":{"type":"string","enum":\[(.*?)\]/.exec(JSON.stringify(response ?? {})) ?? [];
  return list.split(',').map((reason) => reason.replaceAll('"', ''));
}
