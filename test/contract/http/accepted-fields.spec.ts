import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Document['paths'];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Field {
  readonly name: string;
  readonly description: string;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Document;
const api = read('docs/openapi/openapi.json');
const storefront = read('docs/openapi/storefront.json');

/** Fields that are read under another name: an answer or a webhook has it. */
const READ_AS: Readonly<Record<string, string>> = {
  amountCents: 'total',
  decision: 'status',
  paymentMethod: 'paymentMethodSubType',
  priceIds: 'prices',
  to: 'now',
  'user.email': 'userEmail',
};
/** Fields that the pages of the player show, or obey. */
const ON_PAGES = ['items.image', 'returnUrl'];
/** Fields that say how their one call is carried out; none of them is kept. */
const OF_THE_CALL = [
  ...['csrf', 'expireOldAfterSeconds', 'expiresInSeconds', 'formId', 'itemIds', 'limit'],
  ...['lockedPrices', 'pageToken'],
  ...['preview', 'quotedAt', 'restartPeriod', 'rounding', 'eventType', 'since', 'types'],
  ...['unusedCredit', 'useFrom'],
];
/** Credentials of others: no answer shows them. */
const SECRET = ['catalog.apiKey', 'gateway.secretKey', 'gateway.webhookSecret'];
const EXPLAINED = [...Object.keys(READ_AS), ...ON_PAGES, ...OF_THE_CALL, ...SECRET];

/** Subscriptions and webhooks have the same names in snake case. */
const unified = (name: string) => name.replaceAll('_', '').toLowerCase();
const lastName = (name: string) => name.split('.').at(-1) ?? '';

function listOperations(paths: Document['paths'] = {}): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The fields of a schema that hold values, each by its path. */
function listFields(document: Document, schema: Schema, path: readonly string[] = []): Field[] {
  if (path.length > MOST_DEEP) return [];
  const found = findSchema(document, schema);
  const parts = [...(found.allOf ?? []), ...(found.oneOf ?? []), ...(found.anyOf ?? [])];
  const fields = [
    ...Object.entries(found.properties ?? {}).flatMap(([name, of]) =>
      listFields(document, of, [...path, name]),
    ),
    ...[...parts, ...(found.items === undefined ? [] : [found.items])].flatMap((part) =>
      listFields(document, part, path),
    ),
  ];
  const description = [schema.description, found.description].join(' ');
  if (fields.length > 0 || path.length === 0) return fields;
  return [{ name: path.join('.'), description }];
}
const MOST_DEEP = 8;

function findSchema({ components }: Document, { $ref, ...schema }: Schema): Schema {
  return $ref === undefined ? schema : (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
}

function listBodyFields(document: Document, body: Body | undefined): Field[] {
  const schemas = Object.values(body?.content ?? {}).map(({ schema }) => schema);
  return schemas.flatMap((schema) => listFields(document, schema));
}

/** All names that an answer or a webhook shows, whichever program answers. */
const shown = new Set(
  [api, storefront].flatMap((document) => {
    const answers = listOperations(document.paths).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, body]) => (status < '300' ? [body] : [])),
    );
    const messages = listOperations(document.webhooks).map(({ requestBody }) => requestBody);
    return [...answers, ...messages]
      .flatMap((body) => listBodyFields(document, body))
      .flatMap(({ name }) => name.split('.').map(unified));
  }),
);
const accepted = [api, storefront].flatMap((document) =>
  listOperations(document.paths).flatMap(({ requestBody }) =>
    listBodyFields(document, requestBody),
  ),
);

const isExplained = ({ name }: Field) =>
  EXPLAINED.some((each) => name === each || name.endsWith(`.${each}`));
const isForAudits = ({ description }: Field) => description.includes('audits');

/** rules/api 21 */
describe('a field that a body of the API or of the storefront takes', () => {
  it('can be read somewhere, or its description says that it is for audits', () => {
    const lost = accepted.filter(
      (field) => !shown.has(unified(lastName(field.name))) && !isExplained(field),
    );
    expect(accepted.length).toBeGreaterThan(100);
    expect(lost.filter((field) => !isForAudits(field)).map(({ name }) => name)).toEqual([]);
  });

  it('is shown under the name that is said here, where it is shown under another one', () => {
    const names = Object.values(READ_AS);
    expect(names.filter((name) => !shown.has(unified(name)))).toEqual([]);
  });

  it('is explained here only where there is such a field', () => {
    const isAccepted = (each: string) =>
      accepted.some(({ name }) => name === each || name.endsWith(`.${each}`));
    expect(EXPLAINED.filter((each) => !isAccepted(each))).toEqual([]);
  });
});
