import type { FieldViolation } from '../answer/api-error.js';

/** Strings, and the characters that give a JSON text its form. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or a list that is open: the names it has had, and the field or entry that is being read. */
interface Open {
  readonly names: Set<string>;
  step: string | number;
}

/**
 * A field that stands twice in one object: `JSON.parse` takes the last one, and readers before us may have taken the
 * first (rules/api 2).
 *
 * @param json a text that `JSON.parse` takes.
 */
export function findRepeat(json: string): FieldViolation | undefined {
  const open: Open[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKENS)) {
    const last = open.at(-1);
    if (token === '{') open.push({ names: new Set(), step: '' });
    else if (token === '[') open.push({ names: new Set(), step: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof last?.step === 'number') last.step += 1;
    else if (token === ':' && last !== undefined) {
      // Two spellings of one name are the same field.
      last.step = JSON.parse(text) as string;
      if (last.names.has(last.step)) {
        const field = open.map(({ step }) => step).join('.');
        return { field, description: 'stands twice in the body' };
      }
      last.names.add(last.step);
    } else text = token;
  }
  return undefined;
}
