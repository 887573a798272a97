/** The operations of `/openapi.json`, with every reference resolved, for the fuzz and the rules. */

/** JSON Schema, as far as our document uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly maxItems?: number;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Of an object that may be null. */
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** The kinds of callers, as the document's security schemes name them. */
export type CallerKind = 'player' | 'signature' | 'apiKey' | 'operator';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The allowed callers; where it is empty, no credentials are needed. */
  readonly callers: readonly CallerKind[];
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly contentType: string; readonly schema: Schema };
  /** Whether it is a page for people: its refusals are pages, too. */
  readonly isPage: boolean;
}

/**
 * Whether it is an act on a read model: the acts before it decide whether it is accepted, and projectors change more of the
 * ledger by it in their own time. `answers.e2e` shows an accepted one of each.
 */
export function isActOnReadModel({ id, method }: Operation): boolean {
  return id.startsWith('projections_') && method === 'POST';
}

/** Stripe is asked by the keys of an app, which those of a scene have not. */
export function isOfStripe({ id }: Operation): boolean {
  return id === 'finance_importPayout';
}

/** A month is closed once: `answers.e2e` and `books.e2e` do. */
export function isOfClosedMonth({ id }: Operation): boolean {
  return /^finance_(?:close|approve|verify|verifyAll|restate)$/.test(id);
}

/** Reads the document that a running API serves. @throws Error when it has no operation at all. */
export async function readOperations(baseUrl: string): Promise<readonly Operation[]> {
  const answer = await fetch(new URL('/openapi.json', baseUrl));
  const document = (await answer.json()) as Json;
  const resolved = resolve(document['paths'], document) as Record<string, Record<string, Json>>;
  const operations = Object.entries(resolved).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
  );
  if (operations.length === 0) throw new Error('the document has no operations');
  return operations;
}

type Json = Readonly<Record<string, unknown>>;

function toOperation(path: string, method: string, operation: Json): Operation {
  const security = (operation['security'] ?? []) as Record<string, unknown>[];
  const { content } = (operation['requestBody'] ?? {}) as { content?: Record<string, Json> };
  const [contentType, media] = Object.entries(content ?? {})[0] ?? [];
  const { '400': refused } = operation['responses'] as Record<string, Json>;
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    callers: security.flatMap((scheme) => Object.keys(scheme)) as CallerKind[],
    parameters: (operation['parameters'] ?? []) as Parameter[],
    ...(contentType !== undefined && {
      body: { contentType, schema: media?.['schema'] ?? {} },
    }),
    isPage: JSON.stringify(refused ?? {}).includes('text/html'),
  };
}

/** Puts the target of a `$ref` in its place; our document has no schema that contains itself. */
function resolve(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Json)['$ref'];
  if (typeof reference === 'string') return resolve(atPointer(document, reference), document);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, resolve(child, document)]),
  );
}

function atPointer(document: Json, reference: string): unknown {
  const keys = reference.slice(2).split('/');
  return keys.reduce<unknown>((at, key) => (at as Json)[key], document);
}
