/** Rules for the address, the headers and the caller of every request. */
import type { CallerKind, Operation } from './operations.js';
import { refused, type Rule, type RuleCase } from './rule.js';
import type { Draft } from './samples.js';
import { setHeader } from './mutation.js';

const KINDS: readonly CallerKind[] = ['player', 'signature', 'apiKey', 'operator'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const REQUEST_RULES: readonly Rule[] = [
  {
    name: 'a query has known parameters, each once',
    *casesFor(operation, sample) {
      // Links to pages for people get decorated on their way.
      if (operation.isPage) return;
      for (const name of ['colour', '__proto__', 'constructor', 'toString']) {
        yield queried(sample(), 400, name, [...sample().query, [name, '1']]);
      }
      for (const { name } of ofQuery(operation)) {
        const [, value = '1'] = sample().query.find(([known]) => known === name) ?? [];
        yield queried(sample(), 400, name, [
          ...without(sample(), name),
          [name, value],
          [name, value],
        ]);
      }
    },
  },
  {
    name: 'no parameter is empty: a filter never means everybody',
    *casesFor(operation, sample) {
      for (const { name } of ofQuery(operation)) {
        // An empty nextPageToken leads back to the first page.
        if (name === 'pageToken') continue;
        yield queried(sample(), 400, name, [...without(sample(), name), [name, '']]);
      }
    },
  },
  {
    name: 'parameters are well-formed Unicode without control characters',
    *casesFor(operation, sample) {
      for (const { name } of ofQuery(operation)) {
        for (const text of [
          '%FF',
          '%ED%A0%80',
          '%C0%AF',
          '\xff',
          'caf\xe9',
          '%0D%0A',
          '%00',
          '%C2%85',
        ]) {
          yield queried(sample(), 400, undefined, [...without(sample(), name), [name, text]]);
        }
      }
    },
  },
  {
    name: 'paths are well-formed Unicode without control characters',
    *casesFor(operation, sample) {
      for (const [text, status] of [
        ['%FF', 400],
        ['%ED%A0%80', 400],
        ['%', 400],
        ['%zz', 400],
        ['\xff', 400],
        ['%00', [400, 404]],
        ['%C2%85', [400, 404]],
      ] as const) {
        for (const [at, part] of operation.path.split('/').entries()) {
          if (!part.startsWith('{')) continue;
          const draft = sample();
          draft.path = draft.path.split('/').with(at, text).join('/');
          // A page for people is not found, whatever is asked for.
          yield refused(
            draft,
            `${JSON.stringify(text)} for ${part}`,
            operation.isPage ? [400, 404] : status,
          );
        }
      }
    },
  },
  {
    name: 'without credentials everything is 401, whatever else is wrong',
    *casesFor(operation, sample) {
      if (operation.callers.length === 0) return;
      for (const change of WRONG_BESIDE) {
        const draft = sample();
        draft.credentials = () => [];
        yield refused(draft, change(draft), 401);
      }
    },
  },
  {
    name: 'wrong bearer tokens, API keys and signatures are 401, whatever else is wrong',
    *casesFor(operation, sample) {
      if (operation.callers.length === 0) return;
      for (const [n, header] of WRONG_CREDENTIALS.entries()) {
        for (const change of n === 0 ? WRONG_BESIDE : WRONG_BESIDE.slice(0, 1)) {
          const draft = sample();
          draft.credentials = () => [header];
          yield refused(draft, `${header.join(': ')}, ${change(draft)}`, 401);
        }
      }
    },
  },
  {
    name: 'credentials of a kind that an operation does not take are 403',
    *casesFor(operation, sample) {
      if (operation.callers.length === 0) return;
      for (const kind of KINDS.filter((kind) => !operation.callers.includes(kind))) {
        const draft = sample();
        draft.credentials = draft.app.credentials[kind];
        // A price sheet is not held in memory to check a signature that would not be accepted.
        const isStreamed = operation.body?.contentType === 'text/csv' && kind === 'signature';
        yield refused(draft, kind, isStreamed ? [403, 401] : 403);
      }
    },
  },
  {
    name: 'to the callers of another app nothing of this one exists',
    *casesFor(operation, sample) {
      const names = operation.parameters.filter((parameter) => parameter.in === 'path');
      if (names.length === 0) return;
      for (const kind of operation.callers) {
        const draft = sample();
        draft.credentials = draft.app.strangers[kind];
        // Read models and seals are of the whole ledger: every operator knows of them, and those for all apps alone may look.
        const isOfAllApps = /^\/(manage\/projections|seal)\b/.test(operation.path);
        yield refused(draft, kind, isOfAllApps ? 403 : 404);
      }
    },
  },
  {
    name: 'bodies have the content type of the document',
    *casesFor(operation, sample) {
      if (operation.body === undefined) return;
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        '*/*',
      ]) {
        const draft = sample();
        setHeader(draft, 'content-type', type);
        yield refused(draft, type, 415);
      }
    },
  },
  {
    name: 'bodies are JSON objects',
    *casesFor(operation, sample) {
      if (operation.body?.contentType !== 'application/json') return;
      for (const text of [
        '{',
        '{"a":',
        '[]',
        'null',
        '"a"',
        '\ufeff{}',
        '{}}',
        ' \r\n\t',
        '{"a":1,}',
        '{"a":NaN}',
      ]) {
        const draft = sample();
        draft.body = Buffer.from(text);
        yield refused(draft, JSON.stringify(text), 400);
      }
    },
  },
  {
    name: 'headers of ours have a form',
    *casesFor(operation, sample) {
      for (const { name, in: place } of operation.parameters) {
        if (place !== 'header') continue;
        for (const value of BAD_HEADERS[name.toLowerCase()] ?? []) {
          const draft = sample();
          setHeader(draft, name, value);
          yield refused(draft, `${name}: ${value.slice(0, 20)}`, 400, [name]);
        }
      }
    },
  },
  {
    name: 'a known path with another method is 405',
    *casesFor(operation, sample) {
      // Other operations of the path have methods of their own: those of the answer's Allow.
      for (const method of METHODS.filter((one) => one !== operation.method)) {
        const draft = sample();
        draft.method = method;
        draft.credentials = () => [];
        yield refused(draft, method, [405, 401]);
      }
    },
  },
];

const WRONG_CREDENTIALS = [
  ['authorization', 'Bearer nonsense'],
  ['authorization', 'Basic eDp5'],
  ['x-service-api-key', 'bm9ib2R5OmtleQ=='],
  ['x-service-hmac-signature', 'v1;nonsense'],
] as const;

/** A further error beside the credentials; the answer must not tell. */
const WRONG_BESIDE: readonly ((draft: Draft) => string)[] = [
  () => 'nothing else',
  (draft) => {
    draft.query = [...draft.query, ['colour', '1']];
    return 'an unknown parameter';
  },
  (draft) => {
    if (draft.operation.method !== 'GET') {
      draft.body = Buffer.from('{"a":');
      setHeader(draft, 'content-type', 'application/json');
    }
    return 'a body cut short';
  },
  (draft) => {
    if (draft.operation.method !== 'GET') {
      draft.body = Buffer.from('a');
      setHeader(draft, 'content-type', 'text/plain');
    }
    return 'another content type';
  },
];

const BAD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'idempotency-key': ['', 'x'.repeat(256), 'caf\xe9', 'a\tb'],
  'x-consistency-token': ['', 'x', 'c1.1', `c2.${'0'.repeat(20)}`, `c1.${'0'.repeat(19)}x`],
};

function ofQuery({ parameters }: Operation) {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function without({ query }: Draft, name: string): Draft['query'] {
  return query.filter(([known]) => known !== name);
}

function queried(
  draft: Draft,
  status: number,
  field: string | undefined,
  query: Draft['query'],
): RuleCase {
  draft.query = query;
  const what = query.map((pair) => pair.join('=')).join('&');
  return refused(draft, `?${what}`, status, field === undefined ? [] : [field]);
}
