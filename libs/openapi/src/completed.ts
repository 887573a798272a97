import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ANSWER_HEADERS, ANSWERS_WITH, type AnswerHeader } from './answer-headers.js';
import { ERROR_PARTS } from './error-schema.js';
import { type Examples, withExamples } from './examples.js';
import { DocumentedRefusals, type ProgramRefusals } from './refusals.js';
import { REFUSES } from './refuses.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type Response = NonNullable<Responses[string]>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** The fields of each DTO in the order of its source. */
export type FieldOrder = ReadonlyMap<string, readonly string[]>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
/**
 * The comments of our sources name where a rule comes from; readers of the API have no use for it.
 */
const SOURCE_OF_RULE = /\s*\((?:rules\/|decision )[^)]*\)/g;

/** The parts of a program's document beside its decorators. */
export interface Written extends ProgramRefusals {
  readonly order: FieldOrder;
  readonly examples: Examples;
}

/** Adds the common parts of all operations, which no decorator of a single one should have to. */
export function completed(document: OpenAPIObject, written: Written): OpenAPIObject {
  // The document is plain JSON, and stays of its type.
  const own = JSON.parse(JSON.stringify(document), inOurTerms) as OpenAPIObject;
  const { schemas = {}, ...components } = own.components ?? {};
  const refusals = new DocumentedRefusals(written);
  for (const [template, path] of Object.entries(own.paths)) {
    const isOfApp = template.includes('{appId}');
    for (const method of METHODS) {
      const operation = path[method];
      if (operation === undefined) continue;
      const surroundings = { schemas, refusals, isRead: method === 'get', isOfApp };
      const named = withPathParameters(template, operation);
      const own = completedOperation(named, surroundings);
      path[method] = withExamples(own, written.examples);
    }
  }
  const responses = refusals.common();
  return {
    ...own,
    components: {
      ...components,
      schemas: { ...inOrder(schemas, written.order), ...ERROR_PARTS },
      responses,
      headers: headersIn([own.paths, responses]),
    },
  };
}

/** Those that the answers of a document refer to. */
function headersIn(described: readonly object[]): Partial<typeof ANSWER_HEADERS> {
  const text = JSON.stringify(described);
  const used = Object.entries(ANSWER_HEADERS).filter(([name]) =>
    text.includes(`"#/components/headers/${name}"`),
  );
  return Object.fromEntries(used);
}

/** No number of ours has a fraction: money is counted in minor units, all else in wholes. */
function inOurTerms(key: string, value: unknown): unknown {
  if (key === 'description' && typeof value === 'string') return value.replace(SOURCE_OF_RULE, '');
  return key === 'type' && value === 'number' ? 'integer' : value;
}

interface Surroundings {
  readonly schemas: Schemas;
  readonly refusals: DocumentedRefusals;
  readonly isRead: boolean;
  readonly isOfApp: boolean;
}

function completedOperation(
  operation: Operation,
  { schemas, refusals, isRead, isOfApp }: Surroundings,
): Operation {
  // The extensions are written by AnswersWith and Refuses alone.
  const {
    [ANSWERS_WITH]: noted = [],
    [REFUSES]: declared = [],
    ...rest
  } = operation as Operation & {
    readonly [ANSWERS_WITH]?: readonly AnswerHeader[];
    readonly [REFUSES]?: readonly string[];
  };
  const { security = [] } = operation;
  const refuses = [...declared, ...listHeaderRefusals(operation)];
  const credentials = security.flatMap((scheme) => Object.keys(scheme));
  const headers: AnswerHeader[] = ['x-request-id', ...noted];
  if (credentials.includes('apiKey')) headers.push('Deprecation');
  return {
    ...rest,
    ...splitSummary(operation),
    ...describeBody(operation, schemas, credentials),
    security,
    responses: {
      ...refusals.responses({ refuses, isRead, isOfApp, credentials }),
      ...withHeaders(described(operation.responses), headers),
    },
  };
}

/** Also of those parameters that a guard or a pipe reads, and the method itself does not. */
function withPathParameters(template: string, operation: Operation): Operation {
  const { parameters = [] } = operation;
  const missing = [...template.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => ({
      name,
      required: true,
      in: 'path' as const,
      schema: { type: 'string' },
    }))
    .filter(({ name }) => !parameters.some((each) => 'name' in each && each.name === name));
  return { ...operation, parameters: [...missing, ...parameters] };
}

/** The reasons that come with a header that an operation takes. */
function listHeaderRefusals({ parameters = [] }: Operation): string[] {
  const names = parameters.flatMap((each) => ('name' in each ? each.name : []));
  const found = names.map((name) => HEADER_REFUSALS[name]);
  return found.filter((reason) => reason !== undefined);
}

const HEADER_REFUSALS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'IDEMPOTENCY_KEY_REUSED',
  'If-Match': 'REVISION_MISMATCH',
};

/** The first sentence of a comment is the summary; all of it is the description. */
function splitSummary({ summary = '' }: Operation): { summary: string; description: string } {
  const description = summary.replace(SOURCE_OF_RULE, '').replaceAll(/\s+/g, ' ');
  const [, first = description] = /^(.*?)\.(?: |$)/.exec(description) ?? [];
  return { summary: first, description };
}

/**
 * A body without required fields may be left out; a signature needs one all the same
 * (rules/api 11).
 */
function describeBody(
  { requestBody }: Operation,
  schemas: Schemas,
  credentials: readonly string[],
): Pick<Operation, 'requestBody'> {
  if (requestBody === undefined || '$ref' in requestBody) return {};
  const schema = requestBody.content['application/json']?.schema;
  const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
  const named = name === undefined ? undefined : schemas[name];
  if (named === undefined || '$ref' in named || (named.required ?? []).length > 0) return {};
  const description = credentials.includes('signature')
    ? 'May be left out, but not of a signed request: that has at least `{}`.'
    : 'May be left out.';
  return { requestBody: { ...requestBody, description, required: false } };
}

/**
 * As the source has them: decorated fields come first otherwise. Inherited ones go before a DTO's
 * own.
 */
function inOrder(schemas: Schemas, order: FieldOrder): Schemas {
  const sorted = Object.entries(schemas).map(([name, schema]) => {
    const fields = order.get(name) ?? [];
    const byRank = (a: string, b: string) => fields.indexOf(a) - fields.indexOf(b);
    if ('$ref' in schema || schema.properties === undefined) return [name, schema] as const;
    const { properties } = schema;
    const names = Object.keys(properties).sort(byRank);
    const ordered = names.map((field) => [field, properties[field]] as const);
    return [name, { ...schema, properties: Object.fromEntries(ordered) }] as const;
  });
  return Object.fromEntries(sorted) as Schemas;
}

function described(responses: Responses): Record<string, Response> {
  const named: Record<string, Response> = {};
  for (const [status, response] of Object.entries(responses)) {
    if (response === undefined) continue;
    const text = 'description' in response ? response.description : undefined;
    named[status] = { ...response, description: text || (STATUS_CODES[status] ?? status) };
  }
  return named;
}

function withHeaders(
  responses: Readonly<Record<string, Response>>,
  names: readonly AnswerHeader[],
): Record<string, Response> {
  const withThem = Object.entries(responses).map(([status, response]) => [
    status,
    withHeader(response, names),
  ]);
  return Object.fromEntries(withThem) as Record<string, Response>;
}

function withHeader(response: Response, names: readonly AnswerHeader[]): Response {
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return { ...response, headers: Object.fromEntries(headers) };
}
