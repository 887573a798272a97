import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Part of a document, as deep as a change needs it. */
type Node = Record<string, unknown>;

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-openapi-'));

beforeAll(() => write('earlier.json', describeApi()));
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, document: Node): void {
  writeFileSync(path.join(folder, file), JSON.stringify(document));
}

/** An API of one operation and one webhook. */
function describeApi() {
  const content = (schema: Node) => ({ 'application/json': { schema } });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  return {
    paths: {
      '/plans': {
        post: {
          security: [{ operator: [] }, { signature: [] }] as Node[],
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
          requestBody: { required: true, content: content(ref('Body')) },
          responses: { 200: { headers: { ETag: {} }, content: content(ref('Plan')) } },
        },
      } as Node,
    },
    webhooks: { 'plan.made': { post: { requestBody: { content: content(ref('Plan')) } } } } as Node,
    components: {
      schemas: {
        Body: {
          type: 'object',
          required: ['code'],
          properties: { code: { type: 'string', maxLength: 64 }, name: { type: 'string' } },
        } as Node,
        Plan: {
          type: 'object',
          required: ['id', 'status'],
          properties: {
            id: { type: 'string' },
            status: { type: 'string', enum: ['active', 'archived'] },
            prices: { type: 'array', items: { allOf: [ref('Price')] } },
            // A schema may hold itself.
            before: ref('Plan'),
          },
        } as Node,
        Price: { type: 'object', properties: { amount: { type: 'string' } } } as Node,
      },
    },
  };
}

type Api = ReturnType<typeof describeApi>;

function findings(change: (api: Api) => void): string[] {
  const api = describeApi();
  change(api);
  write('later.json', api);
  const files = ['earlier.json', 'later.json'].map((name) => path.join(folder, name));
  const tool = ['tools/openapi-changes.mjs', ...files];
  const { status, stderr } = spawnSync(process.execPath, tool, { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr.split('\n\n', 1)[0]?.split('\n') ?? [];
}

const post = (api: Api) => api.paths['/plans']['post'] as Node;
const schema = (api: Api, name: 'Body' | 'Plan' | 'Price') => api.components.schemas[name];
const field = (api: Api, name: 'Body' | 'Plan' | 'Price', of: string) =>
  (schema(api, name)['properties'] as Record<string, Node>)[of] ?? {};
const remove = (node: unknown, name: string) => Reflect.deleteProperty(node as Node, name);

describe('the check of what the API breaks', () => {
  it.each<[string, (api: Api) => void]>([
    ['nothing changed', () => undefined],
    ['an operation was added', (api) => (api.paths['/plans']['get'] = post(api))],
    ['an answer has a further field', (api) => remove(schema(api, 'Body'), 'required')],
    ['a value was added', (api) => (field(api, 'Plan', 'status')['enum'] as string[]).push('new')],
    ['a component has another name', renamePrice],
    ['a request takes more', (api) => (field(api, 'Body', 'code')['maxLength'] = 65)],
    ['an answer always has a field', (api) => (schema(api, 'Price')['required'] = ['amount'])],
  ])('lets it pass where %s', (_what, change) => {
    expect(findings(change)).toEqual(['']);
  });

  it.each<[string, (api: Api) => void]>([
    ['path /plans: removed', (api) => remove(api.paths, '/plans')],
    ['POST /plans: removed', (api) => remove(api.paths['/plans'], 'post')],
    ['webhook plan.made: removed', (api) => remove(api.webhooks, 'plan.made')],
    ['POST /plans: caller signature removed', (api) => (post(api)['security'] as Node[]).pop()],
    ['POST /plans: query parameter limit removed', (api) => (post(api)['parameters'] = [])],
    ['POST /plans: answer 200 removed', (api) => (post(api)['responses'] = {})],
    ['POST /plans: body.name: removed', (api) => remove(schema(api, 'Body')['properties'], 'name')],
    ['POST /plans: body.name: newly required', (api) => requireInBody(api, 'name')],
    ['POST /plans: body.extra: newly required', (api) => requireInBody(api, 'extra')],
    ['POST /plans: body.code: string became integer', (api) => becomeInteger(api)],
    [
      'POST /plans: body.code: maxLength is 8, was 64',
      (api) => (field(api, 'Body', 'code')['maxLength'] = 8),
    ],
    ['POST /plans: header parameter x newly required', addParameter],
  ])('finds %s', (finding, change) => {
    expect(findings(change)).toEqual([finding]);
  });

  it('finds what answers and webhooks no longer have, behind references', () => {
    const status = (api: Api) => (field(api, 'Plan', 'status')['enum'] as string[]).pop();
    expect(findings(status)).toEqual([
      'POST /plans: answer 200.status: archived removed',
      'POST plan.made: body.status: archived removed',
    ]);
    expect(findings((api) => remove(schema(api, 'Price')['properties'], 'amount'))).toEqual([
      'POST /plans: answer 200.prices[].amount: removed',
      'POST plan.made: body.prices[].amount: removed',
    ]);
    expect(findings(becomeNullable)).toEqual([
      'POST /plans: answer 200.prices[].amount: may be null now',
      'POST plan.made: body.prices[].amount: may be null now',
    ]);
    expect(findings((api) => (schema(api, 'Plan')['required'] = ['id']))).toEqual([
      'POST /plans: answer 200.status: no longer required',
      'POST plan.made: body.status: no longer required',
    ]);
  });
});

function renamePrice(api: Api): void {
  const { Price, Plan } = api.components.schemas;
  const schemas = { Amount: Price, Plan, Body: api.components.schemas.Body };
  Object.assign(api.components, { schemas });
  (field(api, 'Plan', 'prices')['items'] as Node)['allOf'] = [
    { $ref: '#/components/schemas/Amount' },
  ];
}

function requireInBody(api: Api, name: string): void {
  schema(api, 'Body')['required'] = ['code', name];
}

function becomeInteger(api: Api): void {
  Object.assign(field(api, 'Body', 'code'), { type: 'integer' });
}

function becomeNullable(api: Api): void {
  const amount = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  (schema(api, 'Price')['properties'] as Node)['amount'] = amount;
}

function addParameter(api: Api): void {
  (post(api)['parameters'] as Node[]).push({ name: 'x', in: 'header', required: true });
}
