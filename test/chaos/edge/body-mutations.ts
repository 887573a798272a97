/** Errors at one place of a JSON body, and in the bytes of a whole one; `body-rules.ts` has those of every place. */
import { gzipSync } from 'node:zlib';
import { EDGE_INSTANTS, NO_JSON, ODD_TEXTS } from './hostile-values.js';
import { RawJson, writeJson } from './json-writer.js';
import { type Mutation, type PlaceFilter, setHeader } from './mutation.js';
import {
  fieldName,
  is,
  isField,
  isInstant,
  type Place,
  listPlaces,
  valueAt,
  withValueAt,
} from './places.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';

export const BODY_MUTATIONS: readonly Mutation[] = [
  replaced('an odd text', false, is('string'), (random) => random.pick(ODD_TEXTS)),
  replaced('an instant at an edge', false, isInstant, (random) => random.pick(EDGE_INSTANTS)),
  replaced('minus zero', false, is('integer'), () => new RawJson('-0')),
  replaced('no JSON', true, isField, (random) => new RawJson(random.pick(NO_JSON))),
  lengthened('an entry twice'),
];

/** The places in a body that is still an object; none once its bytes were replaced. */
function placesIn({ operation, body }: Draft, filter: PlaceFilter): readonly Place[] {
  const isObject = typeof body === 'object' && body !== null && !Buffer.isBuffer(body);
  const schema = operation.body?.schema;
  return isObject && schema !== undefined ? listPlaces(schema).filter(filter) : [];
}

function replaced(
  name: string,
  isRefused: boolean,
  filter: PlaceFilter,
  valueFrom: (random: Random) => unknown,
): Mutation {
  return {
    name,
    isRefused,
    apply: (draft, random) => {
      const places = placesIn(draft, filter);
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      draft.body = withValueAt(draft.body, place.path, valueFrom(random));
      return `${name} at ${fieldName(place)}`;
    },
  };
}

function lengthened(name: string): Mutation {
  return {
    name,
    isRefused: false,
    apply: (draft, random) => {
      // Another change may have put something else there.
      const isStillList: PlaceFilter = ({ path }) => Array.isArray(valueAt(draft.body, path));
      const places = placesIn(draft, is('list')).filter(isStillList);
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const [entry] = valueAt(draft.body, place.path) as unknown[];
      draft.body = withValueAt(draft.body, place.path, [entry, entry]);
      return `${name} in ${fieldName(place)}`;
    },
  };
}

export const BYTES_MUTATIONS: readonly Mutation[] = [
  bytes('cut short', true, (body, random) => body.subarray(0, 1 + random.below(body.length - 1))),
  bytes('UTF-16', true, (body) => Buffer.from(body.toString('utf8'), 'utf16le')),
  bytes('a flipped bit', false, flipBit),
  bytes('random bytes', true, (_, random) =>
    Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256))),
  ),
  bytes('its first field twice', false, (body) => {
    const [first = '"a":1'] = /"\w+":("[^"]*"|\w+)/.exec(body.toString('utf8')) ?? [];
    return Buffer.concat([Buffer.from(`{${first},`), body.subarray(1)]);
  }),
  bytes('300 kB', true, () => Buffer.from(`{"a":"${'x'.repeat(300_000)}"}`)),
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
