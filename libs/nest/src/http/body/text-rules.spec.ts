import { describe, expect, it } from 'vitest';
import { validateSync } from 'class-validator';
import {
  IsAmountCents,
  IsPositiveAmountCents,
  IsCode,
  IsCountryCode,
  IsCurrencyCode,
  IsHttpsUrl,
  IsJsonText,
  IsLanguageTag,
  IsLine,
  IsPeriodValue,
  IsPlainText,
  IsRegionCode,
  IsTimestamp,
} from './text-rules.js';

/** Whether a rule takes a value. */
function takes(rule: () => PropertyDecorator, value: unknown): boolean {
  class Body {
    field = value;
  }
  rule()(Body.prototype, 'field');
  return validateSync(new Body()).length === 0;
}

const NO_TEXT = [undefined, null, 1, true, {}, ['USD']];

describe.each([
  {
    name: 'a line',
    rule: () => IsLine(1, 5),
    good: ['a', 'Zoë', '😀'.repeat(5), 'a b'],
    bad: [
      '',
      '123456',
      '😀'.repeat(6),
      'a\n',
      'a\r\nb',
      '\u0085',
      `a${'\uFE0F'.repeat(9)}`,
      ...NO_TEXT,
    ],
  },
  {
    name: 'a country',
    rule: IsCountryCode,
    good: ['DE', 'US', 'XK'],
    bad: ['', 'de', 'XX', 'ZZ', 'DEU', 'EU', 'toString', ...NO_TEXT],
  },
  {
    name: 'a region',
    rule: IsRegionCode,
    good: ['DE', 'US-CA', 'GB-ENG'],
    bad: ['', 'XX', 'XX-1', 'US-', 'us-CA', 'US-CALI', 'US-CA\n', ...NO_TEXT],
  },
  {
    name: 'an https address',
    rule: IsHttpsUrl,
    good: ['https://game.example', 'https://game.example:8443/a?b=c#d'],
    bad: [
      ...['', 'http://game.example', 'game.example', 'javascript:alert(1)', 'https://'],
      ...['https://user@game.example', 'https://user:key@game.example', 'https:game.example'],
      ...['https://game.example/a b', 'https://game.example/\n', 'https:\\\\game.example'],
      ...[` https://game.example`, `https://game.example/${'a'.repeat(2048)}`, ...NO_TEXT],
    ],
  },
  {
    name: 'plain text',
    rule: () => IsPlainText(5),
    good: ['', 'a\n\tb', '😀'.repeat(5)],
    bad: ['123456', 'a\0', '\u202Ea', ...NO_TEXT],
  },
  {
    name: 'a currency',
    rule: IsCurrencyCode,
    good: ['USD', 'JPY', 'KWD', 'EUR'],
    bad: ['usd', 'US', 'USDX', 'XXQ', '', ' USD', ...NO_TEXT],
  },
  {
    name: 'an amount',
    rule: IsAmountCents,
    good: ['0', '1', '999', '9'.repeat(15)],
    bad: ['', '-1', '+1', '01', '9.99', '1e3', ' 1', '9'.repeat(16), '٣', ...NO_TEXT],
  },
  {
    name: 'an amount above nothing',
    rule: IsPositiveAmountCents,
    good: ['1', '999', '9'.repeat(15)],
    bad: ['0', '', '-1', '01', '9.99', '9'.repeat(16), ...NO_TEXT],
  },
  {
    name: 'a code',
    rule: IsCode,
    good: ['gold', 'Gold_2.0-x', '1', 'a'.repeat(64)],
    bad: ['', '.gold', '-x', 'a b', 'a/b', 'gölд', 'a'.repeat(65), 'a\n', ...NO_TEXT],
  },
  {
    name: 'a language',
    rule: IsLanguageTag,
    good: ['de', 'pt-BR', 'zh-Hant-TW', 'DE-at', 'sr-Latn-RS'],
    bad: ['', 'any language', 'de_AT', 'd', '*', 'de,en', `de-x-${'a-'.repeat(20)}a`, ...NO_TEXT],
  },
  {
    name: 'the value of a period',
    rule: IsPeriodValue,
    good: ['1', '12', '9999'],
    bad: ['0', '-1', '1.5', '01', '10000', '', 'one', ...NO_TEXT],
  },
  {
    name: 'a timestamp',
    rule: IsTimestamp,
    good: ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123456Z', '2026-01-31T10:00:00+05:30'],
    bad: ['2026-01-31', '2026-02-30T10:00:00Z', '31 Jan 2026', '1769853600', '', ...NO_TEXT],
  },
  {
    name: 'a JSON document',
    rule: IsJsonText,
    good: ['', '{}', '[1, "2"]', 'null', ' {"a": 1} '],
    bad: ['{', "{'a': 1}", 'undefined', ...NO_TEXT],
  },
])('$name', ({ rule, good, bad }) => {
  it.each(good)('can be %j', (value) => {
    expect(takes(rule, value)).toBe(true);
  });

  it.each(bad.map((value) => [value]))('cannot be %j', (value) => {
    expect(takes(rule, value)).toBe(false);
  });
});
