import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The document as far as refusals go: all else of it is held to elsewhere. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface Documented {
  readonly document: OpenApi;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, Operation>>;
}

const REASONS = /"reason":\{"type":"string","enum":(\[.*?\])/;

/** Of the API, and of the storefront: no path is of both. */
const FILES = ['docs/openapi/openapi.json', 'docs/openapi/storefront.json'];

let known: readonly Documented[] | undefined;

/**
 * Holds the refusals that all tests come across to the documents: a reason that it does not have for
 * the operation and the status is a finding (decision 0018).
 *
 * @throws Error for such a reason.
 */
export function requireDocumentedReason(method: string, address: string, refusal: Refusal): void {
  known ??= FILES.flatMap(readDocument);
  const [wanted = ''] = address.split('?', 1);
  const found = known.find(({ pattern }) => pattern.test(wanted));
  const operation = found?.operations[method.toLowerCase()];
  // Paths of no operation, such as pages, are not documented.
  if (found === undefined || operation === undefined) return;
  const reasons = reasonsIn(found.document, operation.responses[refusal.status]);
  if (reasons.includes(refusal.reason)) return;
  throw new Error(
    `${method} ${address} was refused with ${refusal.status} ${refusal.reason}, and the document has ` +
      `for that: ${reasons.join(', ') || 'nothing'}. Is docs/openapi current ("npm run openapi")?`,
  );
}

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

function readDocument(file: string): Documented[] {
  // Every test is run in the folder of the repository.
  const document = JSON.parse(readFileSync(path.resolve(file), 'utf8')) as OpenApi;
  return (
    Object.entries(document.paths)
      // A name goes before a parameter at the same place.
      .sort(([a], [b]) => a.split('{').length - b.split('{').length)
      .map(([template, operations]) => ({
        document,
        pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        operations,
      }))
  );
}

function reasonsIn(document: OpenApi, response: { readonly $ref?: string } | undefined): string[] {
  const shared = response?.$ref?.split('/').at(-1);
  const described = shared === undefined ? response : document.components.responses[shared];
  const [, list = '[]'] = REASONS.exec(JSON.stringify(described ?? {})) ?? [];
  // The expression finds a list of texts.
  return JSON.parse(list) as string[];
}
