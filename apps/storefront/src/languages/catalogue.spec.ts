import { describe, expect, it } from 'vitest';
import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGUE } from './catalogue.js';
import { findTexts, LANGUAGES, type PageLanguage } from './languages.js';
import { type GroupSchema, isMessage, type MessageArguments } from './message-types.js';

interface Written {
  readonly name: string;
  readonly message: string;
  readonly example: MessageArguments | null;
}

/** All messages of a schema by their paths, such as `offer.title`, with their arguments. */
function listSchema(schema: GroupSchema, prefix = ''): [string, MessageArguments | null][] {
  return Object.entries(schema).flatMap<[string, MessageArguments | null]>(([name, part]) => {
    const path = prefix + name;
    return isMessage(part) ? [[path, part.example]] : listSchema(part, `${path}.`);
  });
}

/** All messages of a file by their paths. */
function listWritten(part: unknown, path = ''): [string, unknown][] {
  if (typeof part !== 'object' || part === null) return [[path, part]];
  return Object.entries(part).flatMap(([name, inner]) =>
    listWritten(inner, path === '' ? name : `${path}.${name}`),
  );
}

const SCHEMA = listSchema(CATALOGUE);

/** The messages that the catalogue has and the file does not, and the reverse. */
function differences(messages: object): string[] {
  const written = new Map(listWritten(messages));
  const wanted = new Set(SCHEMA.map(([name]) => name));
  return [
    ...[...wanted]
      .filter((name) => typeof written.get(name) !== 'string')
      .map((name) => `${name} is missing`),
    ...[...written.keys()]
      .filter((name) => !wanted.has(name))
      .map((name) => `${name} is no message of the catalogue`),
  ];
}

/** All messages of a language, with their arguments in the schema. */
function list({ messages }: PageLanguage): Written[] {
  const written = new Map(listWritten(messages));
  return SCHEMA.map(([name, example]) => ({ name, message: String(written.get(name)), example }));
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number];
type Plural = Extract<Element, { pluralType?: unknown }>;
/** The kind of literal text in a message; all other kinds are placeholders. */
const LITERAL = 0;

function parse(message: string): Element[] {
  return new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst();
}

function* elements(parts: readonly Element[]): Generator<Element> {
  for (const part of parts) {
    yield part;
    if (!('options' in part)) continue;
    for (const { value } of Object.values(part.options)) yield* elements(value);
  }
}

function readArguments(message: string): string[] {
  const names = [...elements(parse(message))].flatMap((part) => {
    const kind: number = part.type;
    return kind !== LITERAL && 'value' in part ? [part.value] : [];
  });
  return [...new Set(names)].sort();
}

/** Counts that a plural of the language has no words of their own for. */
function countsLeftOut({ options }: Plural, tag: string): number[] {
  const rules = new Intl.PluralRules(tag);
  const isLeftOut = (count: number) => {
    const category = rules.select(count);
    return category !== 'other' && !(category in options) && !(`=${count}` in options);
  };
  return Array.from({ length: 1000 }, (_, index) => index + 1).filter(isLeftOut);
}

const LANGUAGE_TABLE = LANGUAGES.map((language) => [language.tag, language] as const);
const plurals = (message: string) =>
  [...elements(parse(message))].filter((part) => 'pluralType' in part);

describe.each(LANGUAGE_TABLE)('the messages in %s', (tag, language) => {
  it('are those of the catalogue, none missing and none too many', () => {
    expect({ tag, differences: differences(language.messages) }).toEqual({ tag, differences: [] });
  });

  it('use what they are given, all of it and nothing else', () => {
    for (const { name, message, example } of list(language)) {
      const given = Object.keys(example ?? {}).sort();
      expect([name, example === null ? [] : readArguments(message)]).toEqual([name, given]);
    }
  });

  it('are plain where they are given nothing: no one parses them', () => {
    const found = list(language).filter(({ message, example }) => {
      return example === null && /[{}#<>]|''/.test(message);
    });
    expect(found).toEqual([]);
  });

  it('have words for every count, and for nothing that the language does not count by', () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    for (const { name, message, example } of list(language)) {
      if (example === null) continue;
      for (const plural of plurals(message)) {
        const named = Object.keys(plural.options).filter((key) => !key.startsWith('='));
        expect([name, named.filter((key) => !pluralCategories.some((one) => one === key))]).toEqual(
          [name, []],
        );
        const leftOut = countsLeftOut(plural, tag);
        expect([name, leftOut.slice(0, 3)]).toEqual([name, []]);
      }
    }
  });

  it('say something with what they are given in them', () => {
    const texts = findTexts(language, tag);
    for (const { name, example } of list(language)) {
      const text = name.split('.').reduce<unknown>((part, key) => part?.[key as never], texts);
      const said = example === null ? text : (text as (given: object) => string)(example);
      expect([name, said]).toEqual([name, expect.stringMatching(/\S/)]);
      for (const given of Object.values(example ?? {})) {
        if (typeof given === 'number' || /[$A-Z]/.test(given))
          expect(said).toContain(String(given));
      }
    }
  });
});

describe('the texts of a language', () => {
  it('count with the digits that prices have beside them', () => {
    const [, arabic] = LANGUAGE_TABLE.find(([tag]) => tag === 'ar')!;
    const points = (format: string) => findTexts(arabic, format).loyalty.points({ points: 12 });
    expect(points('ar-AE')).toContain('12');
    expect(points('ar-EG')).toContain('١٢');
  });

  it('take a name as it is, whatever is in it', () => {
    const [, english] = LANGUAGE_TABLE[0]!;
    const planName = `{x} <b>'{y}'</b> #`;
    expect(findTexts(english, 'en').offer.title({ planName })).toBe(`Subscribe to ${planName}`);
  });
});
