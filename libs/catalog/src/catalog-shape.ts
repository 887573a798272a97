import { ValidateBy, type ValidationArguments } from 'class-validator';
import { decimalsOf, isCurrency, MAX_AMOUNT_DIGITS, type Money, money } from '#domain/money';
import { IsCurrencyCode, IsLine, IsPlainText, OmittableOrNull } from '#nest/dto';
import {
  LAST_SECOND,
  MAX_ADDRESS_CHARACTERS,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_PURCHASABLE,
} from './limits.js';

// The fields of a studio backend's answer, by their names there (rules/catalog 3). Lists and objects are looked at by
// `parse-catalog.ts`, which names each entry by its path.

/** Half of a surrogate pair, which an escape of JSON can spell: it is no text (rules/api 3). */
const HALF_PAIR = /\p{Surrogate}/u;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const WHOLE = /^(?:0|[1-9]\d*)$/;

export class RowFields {
  @OmittableOrNull()
  @IsWellFormed()
  @IsLine(0, MAX_NAME_CHARACTERS)
  header?: string | null;
}

export class ItemFields {
  @IsWellFormed()
  @IsLine(1, MAX_ID_CHARACTERS)
  id!: string;

  @IsWellFormed()
  @IsLine(1, MAX_NAME_CHARACTERS)
  name!: string;

  @IsWellFormed()
  @IsPlainText(MAX_DESCRIPTION_CHARACTERS)
  description!: string;

  @IsLine(1, MAX_ADDRESS_CHARACTERS)
  image!: string;

  @OmittableOrNull()
  @IsWholeUpTo(MAX_PURCHASABLE)
  max_purchasable?: string | number | null;

  @OmittableOrNull()
  @IsWholeUpTo(LAST_SECOND)
  expiration_time_seconds?: string | number | null;
}

export class PriceFields {
  @IsCurrencyCode()
  currency!: string;

  @IsAmount()
  amount!: string;
}

/** A whole number that a backend writes as a number or as a string. */
export function readWhole(value: string | number | null | undefined): number | null {
  return value === undefined || value === null ? null : Number(value);
}

/** @param price that was found good. */
export function readPrice({ currency, amount }: PriceFields): Money {
  const [whole = '', fraction = ''] = amount.split('.');
  return money(BigInt(whole + fraction.padEnd(decimalsOf(currency), '0')), currency);
}

function IsWellFormed(): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || !HALF_PAIR.test(value);
  const defaultMessage = () => 'must be well-formed Unicode, without half surrogate pairs';
  return ValidateBy({ name: 'isWellFormed', validator: { validate, defaultMessage } });
}

/** From 0 on, in digits alone: `1e3` and `0x10` are numbers to JavaScript, and not to a backend. */
function IsWholeUpTo(max: number): PropertyDecorator {
  const validate = (value: unknown) => {
    const isWritten = typeof value === 'number' || (typeof value === 'string' && WHOLE.test(value));
    const number = Number(value);
    return isWritten && Number.isInteger(number) && number >= 0 && number <= max;
  };
  const defaultMessage = () => `must be a whole number from 0 to ${max}, as a number or a string`;
  return ValidateBy({ name: 'isWhole', validator: { validate, defaultMessage } });
}

/** Major units as a decimal string, with no more decimals than the currency beside it has. */
function IsAmount(): PropertyDecorator {
  const explain = (args: ValidationArguments | undefined) =>
    findViolation(args?.value, (args?.object as Partial<PriceFields> | undefined)?.currency);
  return ValidateBy({
    name: 'isAmount',
    validator: {
      validate: (_value, args) => explain(args) === undefined,
      defaultMessage: (args) => explain(args) ?? '',
    },
  });
}

/** @returns the error of an amount; undefined where there is none. */
function findViolation(amount: unknown, currency: unknown): string | undefined {
  const found = typeof amount === 'string' ? DECIMAL.exec(amount) : null;
  if (found === null) return 'must be a decimal string, such as "9.99"';
  const [, sign, whole = '', fraction = ''] = found;
  if (sign === '-') return 'must not be negative';
  if (whole.length + fraction.length > MAX_AMOUNT_DIGITS) {
    return `must have at most ${MAX_AMOUNT_DIGITS} digits`;
  }
  if (whole !== '0' && whole.startsWith('0')) return 'must not begin with zeros';
  // The error of the currency is reported there.
  if (typeof currency !== 'string' || !isCurrency(currency)) return undefined;
  const decimals = decimalsOf(currency);
  return fraction.length > decimals
    ? `must have at most ${decimals} decimals, as ${currency} has`
    : undefined;
}
