import type { ItemClass, ItemMatch } from '../bookkeeping/index.js';
import type { FieldViolation } from '../decider/index.js';
import { hasLength, isOneLine } from '../text/index.js';
import { A_ZONE, isZone } from './accounting-zone.js';
import type { FinancePolicy } from './finance.events.js';

/** The classes travel in one event, and each item is looked up in them. */
const MAX_ITEM_CLASSES = 200;
/** A century: no item is played with for longer. */
const MAX_LIFE_DAYS = 36_525;
const MAX_TEXT_LENGTH = 255;

/** Every bad field of a policy. */
export function checkPolicy({ zone, itemClasses }: FinancePolicy): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (!isZone(zone)) {
    const description = `${JSON.stringify(zone)} is not ${A_ZONE}`;
    violations.push({ field: 'zone', description });
  }
  if (itemClasses.length > MAX_ITEM_CLASSES) {
    const description = `at most ${MAX_ITEM_CLASSES} classes, not ${itemClasses.length}`;
    return [...violations, { field: 'itemClasses', description }];
  }
  return [
    ...violations,
    ...itemClasses.flatMap((each, index) => checkClass(each, `itemClasses[${index}]`)),
  ];
}

function checkClass(itemClass: ItemClass, field: string): FieldViolation[] {
  const violations = checkText(itemClass.name, `${field}.name`);
  if (itemClass.lifeDays !== null && !isLife(itemClass.lifeDays)) {
    const description = `must be a whole number of days from 1 to ${MAX_LIFE_DAYS}`;
    violations.push({ field: `${field}.lifeDays`, description });
  }
  return [...violations, ...checkMatch(itemClass.match, `${field}.match`)];
}

function isLife(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MAX_LIFE_DAYS;
}

function checkMatch(match: ItemMatch, field: string): FieldViolation[] {
  if (Object.keys(match).length !== 1) {
    return [{ field, description: 'must be one of id, prefix and metadata' }];
  }
  if ('id' in match) return checkText(match.id, `${field}.id`);
  if ('prefix' in match) return checkText(match.prefix, `${field}.prefix`);
  const { key, value } = match.metadata;
  return [
    ...checkText(key, `${field}.metadata.key`),
    ...checkText(value, `${field}.metadata.value`),
  ];
}

function checkText(text: string, field: string): FieldViolation[] {
  if (hasLength(text, 1, MAX_TEXT_LENGTH) && isOneLine(text)) return [];
  return [{ field, description: `must be one line of 1 to ${MAX_TEXT_LENGTH} characters` }];
}
