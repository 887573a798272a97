import type { Answer, CallOptions } from '../../support/api-client.js';
import { type ExampleFolder, golden, pretty } from '../golden-files.js';

/** The address of a test's ledger says nothing to readers. */
const ORIGINS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:9\b/g, 'https://studio.example.com'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://pay.example.com'],
];
/** Credentials, though of an app that is gone: scanners of repositories take them for leaked ones. */
const SECRETS = ['accessToken', 'apiKey', 'csrf', 'ingressSecret', 'secret', 'secrets', 'token'];
/** As much of a secret stays as tells its form. */
const SHOWN_CHARACTERS = 8;

/** The kind of an id that is a text or a part of an address; names of streams differ with the first of them. */
const ID_KIND = /(?<=^|\/)[a-z]{2,4}_(?=[0-9a-z]{20})/g;

/**
 * Keeps the first answer of an operation as its example in the document: a golden file, which is written where
 * it is missing and UPDATE_GOLDEN is set.
 *
 * @throws Error where it is missing otherwise, or where request and answer have another form by now.
 */
export function recordExample(
  operationId: string,
  { body }: CallOptions,
  answer: Answer,
  folder: ExampleFolder = 'examples',
): void {
  const { status, text } = answer;
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const found = pretty({
    ...(body !== undefined && { request: shown(body) }),
    status,
    ...(text !== '' && { answer: shown(isJson ? answer.body : text) }),
  });
  const kept = golden(folder, operationId, found);
  if (hasSameForm(JSON.parse(kept), JSON.parse(found))) return;
  const advice = 'delete the file, and UPDATE_GOLDEN=1 writes it anew';
  throw new Error(`golden/${folder}/${operationId}.json is not of today: ${advice}\n${found}`);
}

/** Whether two have the same fields, types and kinds of ids; a null or empty value in one says nothing of them. */
function hasSameForm(before: unknown, now: unknown): boolean {
  if (before === null || now === null) return true;
  if (typeof before === 'string' && typeof now === 'string') {
    return listKinds(before) === listKinds(now);
  }
  if (typeof before !== 'object' || typeof now !== 'object') return typeof before === typeof now;
  if (Array.isArray(before) && Array.isArray(now)) {
    return before.length === 0 || now.length === 0 || hasSameForm(before[0], now[0]);
  }
  const [fields, values] = [Object.entries(before), new Map(Object.entries(now))];
  if (fields.length !== values.size) return false;
  return fields.every(([name, value]) => values.has(name) && hasSameForm(value, values.get(name)));
}

function listKinds(text: string): string {
  return (text.match(ID_KIND) ?? []).join(' ');
}

function shown(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shown(each, key));
  if (typeof value === 'string')
    return SECRETS.includes(key) ? masked(value) : withoutOrigin(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shown(of, name)]));
}

function masked(secret: string): string {
  return secret === '' ? '' : `${secret.slice(0, SHOWN_CHARACTERS)}...`;
}

function withoutOrigin(text: string): string {
  // A link into the webshop is a credential, too.
  const unsigned = text.replace(/(\/shop\/enter\/.{8}).*$/, '$1...');
  return ORIGINS.reduce((all, [origin, known]) => all.replaceAll(origin, known), unsigned);
}
