import type { ItemClass, ItemMatch } from '#domain/bookkeeping';
import { A_ZONE, type FinancePolicy } from '#domain/finance';
import { CliError } from '../cli-error.js';

const FIELDS = ['zone', 'itemClasses', 'approval'];
const CLASS_FIELDS = ['name', 'match', 'lifeDays', 'atOnce'];

/**
 * Reads a policy as people write it: classes with `lifeDays`, or with `"atOnce": true`; fields that are left out are as without
 * a policy. The ledger judges its values (rules/finance 30).
 *
 * @throws CliError `usage` with every bad field.
 */
export function readPolicy(text: string, file: string): FinancePolicy {
  const value = parse(text, file);
  const bad: string[] = [];
  refuseUnknown(value, FIELDS, '', bad);
  const { zone = 'UTC', itemClasses = [], approval = false } = value;
  if (typeof zone !== 'string') bad.push(`zone: must be ${A_ZONE}`);
  if (typeof approval !== 'boolean') bad.push('approval: must be true or false');
  if (!Array.isArray(itemClasses)) bad.push('itemClasses: must be a list');
  const list: unknown[] = Array.isArray(itemClasses) ? itemClasses : [];
  const classes = list.map((each, index) => readClass(each, `itemClasses[${index}]`, bad));
  if (bad.length > 0) throw new CliError(`${file} is no policy.`, 'usage', bad, 'POLICY_INVALID');
  return { zone: String(zone), itemClasses: classes, approval: approval === true };
}

function readClass(value: unknown, field: string, bad: string[]): ItemClass {
  const given = isObject(value) ? value : {};
  if (!isObject(value)) bad.push(`${field}: must be an object`);
  refuseUnknown(given, CLASS_FIELDS, `${field}.`, bad);
  const { name = '', lifeDays, atOnce } = given;
  if (typeof name !== 'string') bad.push(`${field}.name: must be a text`);
  const hasLife = typeof lifeDays === 'number' && atOnce === undefined;
  const isAtOnce = atOnce === true && lifeDays === undefined;
  if (!hasLife && !isAtOnce) {
    bad.push(`${field}: must have either lifeDays, a number, or "atOnce": true`);
  }
  const match = readMatch(given['match'], `${field}.match`, bad);
  return { name: String(name), match, lifeDays: hasLife ? lifeDays : null };
}

function readMatch(value: unknown, field: string, bad: string[]): ItemMatch {
  const given = isObject(value) ? value : {};
  const { id, prefix, metadata } = given;
  const isOne = Object.keys(given).length === 1;
  if (isOne && typeof id === 'string') return { id };
  if (isOne && typeof prefix === 'string') return { prefix };
  if (isOne && isObject(metadata)) {
    const { key, value: wanted } = metadata;
    if (typeof key === 'string' && typeof wanted === 'string') {
      return { metadata: { key, value: wanted } };
    }
  }
  bad.push(`${field}: must be {"id"}, {"prefix"} or {"metadata": {"key", "value"}}`);
  return { id: '' };
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below, as for any text that is no object.
  }
  throw new CliError(`${file} does not hold a JSON object.`, 'usage', [], 'POLICY_INVALID');
}

function refuseUnknown(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix: string,
  bad: string[],
): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) bad.push(`${prefix}${name}: is not known`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
