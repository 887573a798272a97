import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import { parseInstant } from '#domain/calendar';
import { isCurrency } from '#domain/money';
import { isCountry, isRegion, REGION_PATTERN } from '#domain/pricing';
import { hasLength, isOneLine, isPlainText } from '#domain/text';

/**
 * Amounts travel as decimal strings of minor units (rules/api 9); 15 digits are beyond any price.
 */
const AMOUNT = /^(0|[1-9]\d{0,14})$/;
/** Codes and segments stand in addresses and in stream names. */
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Something before one `@` and something behind it; mail servers judge the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** RFC 5321, 4.5.3.1: a path has 256 octets, two of them its brackets. */
const MAX_EMAIL_CHARACTERS = 254;
/** Periods travel as decimal strings (rules/api 17). */
const PERIOD_VALUE = /^[1-9]\d{0,3}$/;

/** Ids, names, references, addresses: one line, counted in characters and not in UTF-16 units. */
export function IsLine(min: number, max: number): PropertyDecorator {
  const isLine = (value: unknown) =>
    typeof value === 'string' && hasLength(value, min, max) && isOneLine(value);
  const message = `must be one line of ${range(min, max)} characters, without control characters`;
  return applyDecorators(
    ApiProperty({ ...(min > 0 && { minLength: min }), maxLength: max }),
    rule('isLine', isLine, message)(),
  );
}

/** Text for people: line breaks and tabs are welcome, other control characters are not. */
export function IsPlainText(max: number): PropertyDecorator {
  const isText = (value: unknown) =>
    typeof value === 'string' && hasLength(value, 0, max) && isPlainText(value);
  const message = `must be text of ${range(0, max)} characters, without control characters`;
  return applyDecorators(ApiProperty({ maxLength: max }), rule('isPlainText', isText, message)());
}

/** An ISO 4217 code that we can count in. */
export const IsCurrencyCode = rule(
  'isCurrencyCode',
  (value) => typeof value === 'string' && isCurrency(value),
  'must be an ISO 4217 currency code, such as USD',
);

/** A country that has a currency. */
export const IsCountryCode = rule(
  'isCountryCode',
  (value) => typeof value === 'string' && isCountry(value),
  "must be a country's upper-case ISO 3166-1 alpha-2 code, such as DE",
);

/** An address of e-mail, as far as it can be seen without writing to it. */
export function IsEmail(): PropertyDecorator {
  const isAddress = (value: unknown) =>
    typeof value === 'string' &&
    hasLength(value, 3, MAX_EMAIL_CHARACTERS) &&
    isOneLine(value) &&
    EMAIL.test(value);
  const message = 'must be an address of e-mail, such as ann@example.com';
  return applyDecorators(
    ApiProperty({ format: 'email', maxLength: MAX_EMAIL_CHARACTERS }),
    rule('isEmailAddress', isAddress, message)(),
  );
}

/** An address that browsers are led to or load from: https, and nothing in it that signs anybody in. */
export function IsHttpsUrl(): PropertyDecorator {
  const message = `must be an https address of at most ${MAX_URL_CHARACTERS} characters, without credentials`;
  return applyDecorators(
    ApiProperty({ format: 'uri', maxLength: MAX_URL_CHARACTERS }),
    rule('isHttpsUrl', isHttpsUrl, message)(),
  );
}

/** A CLDR region: a country, or a country and its part. */
export function IsRegionCode(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ pattern: REGION_PATTERN.source }),
    rule('isRegionCode', isRegionCode, REGION_RULE)(),
  );
}

/** The same, and `""` for none, as answers show it: an object can be sent back as it came. */
export function IsRegionCodeOrEmpty(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ pattern: `^$|${REGION_PATTERN.source}` }),
    rule(
      'isRegionCodeOrEmpty',
      (value) => value === '' || isRegionCode(value),
      `${REGION_RULE}, or "" for none`,
    )(),
  );
}

/** A language as browsers name it; whether pages speak it is another question. */
export function IsLanguageTag(): PropertyDecorator {
  const message = 'must be a language tag of BCP 47, such as de or pt-BR';
  return applyDecorators(
    ApiProperty({ minLength: 1, maxLength: MAX_LANGUAGE_CHARACTERS }),
    rule('isLanguageTag', isLanguageTag, message)(),
  );
}

/** Minor units as a decimal string. */
export const IsAmountCents = rule(
  'isAmountCents',
  (value) => typeof value === 'string' && AMOUNT.test(value),
  'must be a string of minor units, such as "999", of at most 15 digits',
);

/** The same, and more than nothing. */
export const IsPositiveAmountCents = rule(
  'isPositiveAmountCents',
  (value) => typeof value === 'string' && AMOUNT.test(value) && BigInt(value) > 0n,
  'must be a string of minor units above 0, such as "999", of at most 15 digits',
);

/** Whether it can be a plan's code or a segment's id. */
export function isCode(value: unknown): boolean {
  return typeof value === 'string' && CODE.test(value);
}

/** A plan's code or a segment's id. */
export const IsCode = rule(
  'isCode',
  isCode,
  'must have 1 to 64 of the characters A-Z a-z 0-9 . _ - and begin with a letter or digit',
);

/** The number of units in a period, as a decimal string. */
export const IsOrigin = rule(
  'isOrigin',
  isOrigin,
  'must be an origin such as https://game.example, or *',
);

export const IsPeriodValue = rule(
  'isPeriodValue',
  (value) => typeof value === 'string' && PERIOD_VALUE.test(value),
  'must be a string of a whole number from 1 to 9999',
);

/** An RFC 3339 timestamp of any offset. */
export const IsTimestamp = rule(
  'isTimestamp',
  (value) => typeof value === 'string' && parseInstant(value) !== undefined,
  'must be an RFC 3339 timestamp, such as 2026-01-31T10:00:00Z',
);

/** A JSON document as text. */
export const IsJsonText = rule('isJsonText', isJsonText, 'must be a JSON document as a string');

function range(min: number, max: number): string {
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

const REGION_RULE = 'must be a region such as DE or US-CA';

function isRegionCode(value: unknown): boolean {
  return typeof value === 'string' && isRegion(value);
}

function isJsonText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value === '') return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** RFC 5646, 4.4.1: no tag that is in use is longer. */
const MAX_LANGUAGE_CHARACTERS = 35;

function isLanguageTag(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_LANGUAGE_CHARACTERS) return false;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

function rule(name: string, validate: (value: unknown) => boolean, message: string) {
  return (options: ValidationOptions = {}): PropertyDecorator =>
    applyDecorators(
      ValidateBy({ name, validator: { validate, defaultMessage: () => message } }, options),
    );
}

/** Browsers and caches take as much of an address. */
const MAX_URL_CHARACTERS = 2048;

function isHttpsUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARACTERS) return false;
  if (!/^https:\/\/[^\s\\]+$/.test(value) || !isOneLine(value) || !URL.canParse(value))
    return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** As browsers send it in `Origin`: scheme, host and port, and nothing after them. */
function isOrigin(value: unknown): boolean {
  if (value === '*') return true;
  if (typeof value !== 'string' || value.length > MAX_ORIGIN_CHARACTERS) return false;
  return /^https?:[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** A host has 253 characters at most; scheme and port are short. */
const MAX_ORIGIN_CHARACTERS = 300;
