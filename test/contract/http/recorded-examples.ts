import type { Answer, CallOptions } from '../../support/api-client.js';
import { golden, pretty } from '../golden-files.js';

/** Where a test's ledger listens says nothing to readers. */
const ORIGINS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:9\b/g, 'https://studio.example.com'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://pay.example.com'],
];
/** What is a credential, though of an app that is gone: scanners of repositories take it for one that leaked. */
const SECRETS = ['accessToken', 'apiKey', 'ingressSecret', 'secret', 'secrets', 'token'];
/** As much of a secret stays as tells its form. */
const SHOWN_CHARACTERS = 8;

/**
 * Keeps the first answer of an operation as its example in the document: a golden file, which is written where
 * it is missing and UPDATE_GOLDEN is set.
 *
 * @throws Error where it is missing otherwise.
 */
export function recordExample(operationId: string, { body }: CallOptions, answer: Answer): void {
  const { status, text } = answer;
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  golden(
    'examples',
    operationId,
    pretty({
      ...(body !== undefined && { request: shown(body) }),
      status,
      ...(text !== '' && { answer: shown(isJson ? answer.body : text) }),
    }),
  );
}

function shown(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shown(each, key));
  if (typeof value === 'string')
    return SECRETS.includes(key) ? masked(value) : withoutOrigin(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shown(of, name)]));
}

function masked(secret: string): string {
  return `${secret.slice(0, SHOWN_CHARACTERS)}...`;
}

function withoutOrigin(text: string): string {
  // A link into the webshop is a credential, too.
  const unsigned = text.replace(/(\/shop\/enter\/.{8}).*$/, '$1...');
  return ORIGINS.reduce((all, [origin, known]) => all.replaceAll(origin, known), unsigned);
}
