/** Errors at one place of a JSON body. */
import {
  BAD_INSTANTS,
  BAD_INTEGERS,
  BEYOND_NESTING,
  EDGE_INSTANTS,
  HALF_SURROGATES,
  nested,
  NO_JSON,
  NOT_UTF8,
  ODD_TEXTS,
  WITH_CONTROL_CHARACTERS,
} from './hostile-values.js';
import { RawJson } from './json-writer.js';
import type { Mutation, PlaceFilter } from './mutation.js';
import {
  fieldName,
  is,
  isClosedObject,
  isField,
  refusesNull,
  isInstant,
  isRequiredField,
  type Place,
  listPlaces,
  type Shape,
  classifyShape,
  valueAt,
  withValueAt,
} from './places.js';
import type { Random } from './random.js';
import type { Draft } from './samples.js';

export const BODY_MUTATIONS: readonly Mutation[] = [
  replaced('null', true, refusesNull, () => null),
  replaced('a required field left out', true, isRequiredField, () => undefined),
  replaced('a list for another', true, isNo('list'), (random) =>
    random.pick([[], [[]], [{}], ['a']]),
  ),
  replaced('an object for another', true, isNo('object'), (random) => random.pick([{}, { a: 1 }])),
  replaced('a word for another', true, isNo('string'), (random) => random.pick(ODD_TEXTS)),
  replaced('a number for another', true, isNo('integer'), (random) => random.pick([0, 1, 999, -1])),
  replaced('a boolean for another', true, isNo('boolean'), (random) => random.pick([true, false])),
  replaced('a list in a list', true, isListEntry, () => [[]]),
  replaced('an odd text', false, is('string'), (random) => random.pick(ODD_TEXTS)),
  replaced('half a surrogate pair', true, is('string'), (random) => random.pick(HALF_SURROGATES)),
  replaced('control characters', false, is('string'), (random) =>
    random.pick(WITH_CONTROL_CHARACTERS),
  ),
  replaced('bytes that are no UTF-8', true, is('string'), (random) =>
    inQuotes(random.pick(NOT_UTF8)),
  ),
  replaced('a bad instant', true, isInstant, (random) => random.pick(BAD_INSTANTS)),
  replaced('an instant at an edge', false, isInstant, (random) => random.pick(EDGE_INSTANTS)),
  replaced('a bad number', true, is('integer'), (random) => random.pick(BAD_INTEGERS)),
  replaced('minus zero', false, is('integer'), () => new RawJson('-0')),
  replaced('no JSON', true, isField, (random) => new RawJson(random.pick(NO_JSON))),
  replaced('deep lists', true, isField, () => nested(BEYOND_NESTING, 'lists')),
  replaced('deep objects', true, isField, () => nested(BEYOND_NESTING, 'objects')),
  added('an unknown field', (random) => [random.pick(UNKNOWN_NAMES), 1]),
  added('__proto__', () => ['__proto__', { isAdmin: true }]),
  added('a deep unknown field', () => ['x', nested(BEYOND_NESTING, 'objects')]),
  lengthened('an entry twice', 2),
  lengthened('more entries than any list may have', 5_001),
];

const UNKNOWN_NAMES = ['colour', 'constructor', 'toString', '', 'a.b', '0', 'then', 'É', 'id '];

function isListEntry({ path }: Place): boolean {
  return typeof path.at(-1) === 'number';
}

function isNo(shape: Shape): PlaceFilter {
  return ({ schema }) => classifyShape(schema) !== shape;
}

function inQuotes(bytes: string): RawJson {
  return new RawJson(Buffer.from(`"${bytes}"`, 'latin1'));
}

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

function added(name: string, fieldFrom: (random: Random) => [string, unknown]): Mutation {
  return {
    name,
    isRefused: true,
    apply: (draft, random) => {
      const places = placesIn(draft, isClosedObject);
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const object = valueAt(draft.body, place.path);
      const fields = Object.entries(object ?? {}) as [string, unknown][];
      const more = Object.fromEntries([...fields, fieldFrom(random)]);
      draft.body = withValueAt(draft.body, place.path, more);
      return `${name} in ${fieldName(place)}`;
    },
  };
}

function lengthened(name: string, length: number): Mutation {
  return {
    name,
    isRefused: length > 5_000,
    apply: (draft, random) => {
      // Another change may have put something else there.
      const isStillList: PlaceFilter = ({ path }) => Array.isArray(valueAt(draft.body, path));
      const places = placesIn(draft, is('list')).filter(isStillList);
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const [entry] = valueAt(draft.body, place.path) as unknown[];
      const entries = Array.from({ length }, () => entry);
      draft.body = withValueAt(draft.body, place.path, entries);
      return `${name} in ${fieldName(place)}`;
    },
  };
}
