/** Errors in the bytes of a whole body, whatever they mean. */
import { gzipSync } from 'node:zlib';
import { BEYOND_NESTING, nested } from './hostile-values.js';
import { writeJson } from './json-writer.js';
import { type Mutation, setHeader } from './mutation.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';

export const BYTES_MUTATIONS: readonly Mutation[] = [
  bytes('cut short', true, (body, random) => body.subarray(0, 1 + random.below(body.length - 1))),
  bytes('no body', false, () => Buffer.alloc(0)),
  bytes('white space', true, () => Buffer.from(' \r\n\t')),
  bytes('something after it', true, (body) => Buffer.concat([body, Buffer.from('}{"a":1}')])),
  bytes('a byte order mark', true, (body) => Buffer.concat([Buffer.from('\ufeff'), body])),
  bytes('UTF-16', true, (body) => Buffer.from(body.toString('utf8'), 'utf16le')),
  bytes('another JSON value', true, (_, random) => Buffer.from(random.pick(NO_OBJECTS))),
  bytes('a flipped bit', false, flipBit),
  bytes('random bytes', true, (_, random) =>
    Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256))),
  ),
  bytes('its first field twice', false, (body) => {
    const [first = '"a":1'] = /"\w+":("[^"]*"|\w+)/.exec(body.toString('utf8')) ?? [];
    return Buffer.concat([Buffer.from(`{${first},`), body.subarray(1)]);
  }),
  bytes('only unknown fields, 235 kB', true, () => Buffer.from(manyFields(235_000))),
  bytes('300 kB', true, () => Buffer.from(`{"a":"${'x'.repeat(300_000)}"}`)),
  bytes('very deep', true, () => nested(BEYOND_NESTING, 'objects').bytes),
  bytes('as deep as can be sent', true, () => nested(120_000, 'lists').bytes),
  typed('no content type', undefined),
  ...OTHER_TYPES().map((type) => typed('another content type', type)),
  {
    name: 'compressed',
    isRefused: true,
    apply: (draft) => {
      if (draft.body === undefined) return undefined;
      draft.body = gzipSync(encodeBody(draft));
      setHeader(draft, 'content-encoding', 'gzip');
      return 'compressed';
    },
  },
  {
    name: 'a body where there is none',
    isRefused: false,
    apply: (draft) => {
      if (draft.body !== undefined) return undefined;
      draft.body = { surprise: true };
      setHeader(draft, 'content-type', 'application/json');
      return 'a body where there is none';
    },
  },
];

const NO_OBJECTS = [
  'null',
  '[]',
  '[[]]',
  '1',
  '"a"',
  'true',
  '[{}]',
  '{}{}',
  '{"a":1,}',
  "{'a':1}",
];

function OTHER_TYPES(): readonly string[] {
  return [
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/jsonx',
    'json',
    '*/*',
    'a'.repeat(2000),
    '__proto__',
  ];
}

/** The bytes of a draft's body as it stands. */
export function encodeBody({ body }: Draft): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : writeJson(body);
}

/** About so many bytes of fields that no body has. */
export function manyFields(byteCount: number): string {
  const fields = Array.from({ length: Math.floor(byteCount / 10) }, (_, n) => `"${n + 10_000}":1`);
  return `{${fields.join(',')}}`;
}

function flipBit(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body);
  const at = random.below(Math.max(1, copy.length));
  copy.writeUInt8((copy[at] ?? 0) ^ (1 << random.below(8)), at);
  return copy;
}

function bytes(
  name: string,
  isRefused: boolean,
  change: (body: Buffer, random: Random) => Buffer,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random) => {
      // A sheet of prices has few bytes that mean anything else.
      const isJson = draft.operation.body?.contentType === 'application/json';
      const body = encodeBody(draft);
      if (!isJson || body.length === 0) return undefined;
      draft.body = change(body, random);
      return name;
    },
  };
}

function typed(name: string, type: string | undefined): Mutation {
  return {
    name,
    isRefused: true,
    apply: (draft) => {
      if (draft.body === undefined) return undefined;
      draft.headers = draft.headers.filter(([known]) => known !== 'content-type');
      if (type !== undefined) setHeader(draft, 'content-type', type);
      return `${name}: ${type?.slice(0, 40) ?? 'none'}`;
    },
  };
}
