import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend';
import type { Answer } from '../../support/api-client.js';

/** As our answers write them; RFC 3339 would allow more. */
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  int64: /^(0|[1-9]\d{0,18})$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][a-z+.-]*:/,
};

/**
 * Each schema is compiled once and holds for few answers: options that make it quicker to use, check it against its own
 * schema, or put an error into words, took most of the time.
 */
export const AJV_OPTIONS = {
  ...{ strict: false, allErrors: true, formats: FORMATS },
  ...{ messages: false, meta: false, validateSchema: false, code: { optimize: false } },
} as const;

/** Headers that come with every answer for which they are documented. */
const ALWAYS = ['x-request-id', 'ETag', 'x-price-sheet-version', 'x-tax-rates-version'];

/** The document that a running API serves, as something that answers can be held to. */
export interface OpenApiDocument {
  readonly operationIds: readonly string[];
  readonly schemaNames: readonly string[];
  /** @returns the operation that was answered. @throws Error when the answer is not as documented. */
  check(method: string, path: string, answer: Answer): string;
}

export async function openDocument(baseUrl: string): Promise<OpenApiDocument> {
  const served = await fetch(new URL('/openapi.json', baseUrl));
  const definition = withClosedObjects(await served.json()) as Document;
  const api = new OpenAPIBackend({
    definition,
    // It would check the document itself too, but against OpenAPI 3.0.
    quick: true,
    ajvOpts: AJV_OPTIONS,
  });
  await api.init();
  const known = Object.keys(definition.components?.headers ?? {});
  return {
    operationIds: api.getOperations().map(({ operationId = '' }) => operationId),
    schemaNames: Object.keys(definition.components?.schemas ?? {}),
    check: (method, path, answer) => {
      const request = { method, path: path.split('?', 1)[0] ?? '', headers: {} };
      const operation = api.matchOperation(request);
      if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
      const what = `${method} ${path} -> ${answer.status} ${answer.text.slice(0, 500)}`;
      const { content, headers } = findResponse(operation, answer.status, what);
      checkContent(content, answer, what);
      if (content?.['application/json'] !== undefined) {
        const { errors } = api.validateResponse(answer.body, operation, answer.status);
        if (errors) throw new Error(`${what}: ${JSON.stringify(errors)}`);
      }
      checkHeaders(known, headers, answer, what);
      return operation.operationId ?? '';
    },
  };
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

function findResponse(operation: Operation, status: number, what: string): DocumentedResponse {
  const { responses = {} } = operation;
  const found = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
  if (found === undefined) throw new Error(`${what}: the status is not documented`);
  // References were resolved when the document was read.
  return found as DocumentedResponse;
}

function checkContent(content: DocumentedResponse['content'], answer: Answer, what: string): void {
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const documented = Object.keys(content ?? {});
  if (documented.length === 0 && answer.text === '') return;
  if (!documented.includes(type)) {
    throw new Error(`${what}: the content type ${type} is not one of ${documented.join(', ')}`);
  }
}

/** A header that the document knows and an answer has, its operation has too; some never fail to come. */
function checkHeaders(
  known: readonly string[],
  documented: DocumentedResponse['headers'],
  answer: Answer,
  what: string,
): void {
  const names = Object.keys(documented ?? {});
  const undocumented = known.filter((name) => answer.headers.has(name) && !names.includes(name));
  const always = names.filter((name) => ALWAYS.includes(name));
  const missing = always.filter((name) => !answer.headers.has(name));
  if (undocumented.length + missing.length > 0) {
    throw new Error(`${what}: undocumented ${undocumented.join()}, missing ${missing.join()}`);
  }
}

/** JSON schemas let objects have any more fields; a field that is not documented is a finding here. */
export function withClosedObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withClosedObjects);
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.entries(value).map(([key, child]) => [key, withClosedObjects(child)]);
  const copy = Object.fromEntries(children) as Record<string, unknown>;
  const isObjectSchema = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
