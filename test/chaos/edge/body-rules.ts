/** Rules for every field of every body: decisions of form that no operation is exempt from. */
import { manyFields } from './body-mutations.js';
import {
  BAD_INSTANTS,
  BAD_INTEGERS,
  BEYOND_NESTING,
  HALF_SURROGATES,
  nested,
  NOT_UTF8,
} from './hostile-values.js';
import { RawJson } from './json-writer.js';
import type { Operation } from './operations.js';
import {
  ANY_NAME,
  fieldName,
  is,
  isClosedObject,
  isInstant,
  isRequiredField,
  type Place,
  listPlaces,
  refusesNull,
  type Shape,
  takesShape,
  valueAt,
  withValueAt,
} from './places.js';
import { refused, type Rule, type RuleCase } from './rule.js';
import type { Draft } from './samples.js';

/** C0, DEL, C1, separators of lines, and characters that turn the direction of text around. */
const NO_LINE = ['\r\n', '\0', '\x1b', '\x7f', '\x85', '\u2028', '\u202e'];

/** A value of each shape, in the place of every other shape. */
const VALUES: readonly (readonly [Shape, string, unknown])[] = [
  ['list', 'a list', []],
  ['list', 'a list in a list', [[]]],
  ['object', 'an object', {}],
  ['string', 'a word', 'a'],
  ['integer', 'a number', 7],
  ['boolean', 'a boolean', true],
];

/** Of a list for which the document says nothing else. */
const MOST_ENTRIES = 5_000;

/** Free text for people, and JSON as text, may have lines. */
const TEXTS_WITH_LINES = new Set(['description', 'benefitsJson', ANY_NAME]);

export const BODY_RULES: readonly Rule[] = [
  everyPlace('null is refused in every field that has no meaning for it', refusesNull, () => [
    ['null', null],
  ]),
  everyPlace('a required field may not be left out', isRequiredField, () => [
    ['nothing', undefined],
  ]),
  everyPlace(
    'a value of another shape is refused',
    () => true,
    ({ schema }) =>
      VALUES.filter(([shape]) => !takesShape(schema, shape)).map(([, what, value]) => [
        what,
        value,
      ]),
  ),
  everyPlace('text is well-formed Unicode', is('string'), () => [
    ...HALF_SURROGATES.slice(0, 2).map((text): BadValue => [JSON.stringify(text), text]),
    ...NOT_UTF8.slice(0, 3).map((bytes): BadValue => [
      Buffer.from(bytes, 'latin1').toString('hex'),
      new RawJson(Buffer.from(`"${bytes}"`, 'latin1')),
    ]),
  ]),
  everyPlace('ids, names and addresses have no control characters', isLine, (_, value) => {
    const text = typeof value === 'string' ? value : '';
    return NO_LINE.map((character) => [
      JSON.stringify(character),
      `${text.slice(0, 2)}${character}${text.slice(2)}`,
    ]);
  }),
  everyPlace('an instant is RFC 3339, before the year 10000', isInstant, () =>
    BAD_INSTANTS.map((text) => [text, text]),
  ),
  everyPlace('a whole number is one', is('integer'), () =>
    BAD_INTEGERS.map((number) => [number.bytes.toString(), number]),
  ),
  everyPlace('a list has a most of entries', is('list'), (place, value) => [
    ['one entry more', entries(value, (place.schema.maxItems ?? MOST_ENTRIES) + 1)],
    ['50,000 numbers', new RawJson(`[${'1,'.repeat(49_999)}1]`)],
  ]),
  everyPlace(
    'nesting has an end',
    () => true,
    () => [
      ['deep lists', nested(BEYOND_NESTING, 'lists')],
      ['deep objects', nested(BEYOND_NESTING, 'objects')],
    ],
  ),
  everyPlace('unknown fields are refused, in every object', isClosedObject, (_, value) =>
    ['colour', 'constructor', 'toString', '__proto__'].map((name) => [
      name,
      Object.fromEntries([...Object.entries(value ?? {}), [name, 1]]),
      name,
    ]),
  ),
  {
    name: 'unknown fields are refused where there are no fields, and by the thousand',
    *casesFor(operation, sample) {
      if (operation.method === 'GET' || operation.body?.contentType === 'text/csv') return;
      // DELETE takes no body, and has no meaning for one.
      if (operation.method === 'DELETE') return;
      for (const text of ['{"colour":1}', manyFields(235_000)]) {
        const draft = sample();
        draft.body = Buffer.from(text);
        draft.headers = [['content-type', 'application/json']];
        yield refused(draft, `${text.length} bytes of them`, 400);
      }
    },
  },
];

/** The name of a bad value, the value itself, and the field within it that is bad. */
type BadValue = readonly [what: string, value: unknown, within?: string];

/** A rule for the places of a body: each value in each place is a case. */
function everyPlace(
  name: string,
  filter: (place: Place) => boolean,
  valuesFor: (place: Place, value: unknown) => readonly BadValue[],
): Rule {
  return {
    name,
    *casesFor(operation, sample) {
      for (const place of listBodyPlaces(operation).filter(filter)) {
        const present = valueAt(sample().body, place.path);
        for (const bad of valuesFor(place, present)) yield caseAt(sample(), place, bad);
      }
    },
  };
}

function caseAt(draft: Draft, place: Place, [what, value, within]: BadValue): RuleCase {
  draft.body = withValueAt(draft.body, place.path, value);
  const names = acceptedNames(place, within);
  const name = fieldName(place);
  return { ...refused(draft, `${what} at ${name}`, 400, names), place: name };
}

/** A bad entry may be named by its list, and an unparsable one by `body`. */
function acceptedNames({ path }: Place, within?: string): readonly string[] {
  const full = within === undefined ? path : [...path, within];
  // In the place of a whole body anything may be named.
  if (full.length === 0) return [];
  return [...full.keys()].map((at) => full.slice(0, at + 1).join('.')).concat('body');
}

function listBodyPlaces({ body }: Operation): readonly Place[] {
  return body?.contentType === 'application/json' ? listPlaces(body.schema) : [];
}

/** Text that is no text with lines. */
function isLine(place: Place): boolean {
  return is('string')(place) && !TEXTS_WITH_LINES.has(String(place.path.at(-1)));
}

function entries(list: unknown, length: number): readonly unknown[] {
  const [entry] = list as readonly unknown[];
  return Array.from({ length }, () => entry);
}
