import { type Change, isMoney } from '#causes';
import { sayMoney } from '#representations';

/** Texts in these fields are sealed (rules/storage 4 and 15); nothing opens them here. */
const SEALED = /(?:^|\.)(?:personal(?:\.|$)|sealed)/;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{3})Z$/;

/** `status: active -> canceled`, or `price: 9.99 USD` of a field that is new. */
export function sayChange({ field, before, after }: Change): string {
  const value = sayValue(field, after);
  return before === undefined
    ? `${field}: ${value}`
    : `${field}: ${sayValue(field, before)} -> ${value}`;
}

/** Whether a change tells something: a new field without a value does not. */
export function isTelling({ before, after }: Change): boolean {
  return before !== undefined || !['none', NO_TEXT].includes(sayValue('', after));
}

/** The value of a field as people of finance read it. */
export function sayValue(field: string, value: unknown): string {
  if (value === undefined) return '(absent)';
  if (value === null) return 'none';
  if (typeof value === 'string') return SEALED.test(field) ? '(sealed)' : sayText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isMoney(value)) return sayMoney(value);
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'none';
  return JSON.stringify(value);
}

/** `2027-01-31 10:00:00Z`; milliseconds are shown where there are some. */
export function sayInstant(text: string): string {
  const [, date, time = '', fraction] = INSTANT.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date} ${time}${fraction === '.000' ? '' : fraction}Z`;
}

const NO_TEXT = '""';

/** Texts that may steer a terminal are quoted, as is an empty one. */
function sayText(text: string): string {
  return text === '' || /\p{Cc}/u.test(text) ? JSON.stringify(text) : sayInstant(text);
}
