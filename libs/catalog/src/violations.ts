import { validateSync } from 'class-validator';
import type { FieldViolation } from '#domain/decider';
import { MAX_VIOLATIONS } from './limits.js';

/** The errors of an answer: the first ones by their paths, the others counted (rules/catalog 3). */
export class Violations {
  readonly listed: FieldViolation[] = [];
  count = 0;

  add(field: string, description: string): void {
    this.count += 1;
    if (this.listed.length < MAX_VIOLATIONS) this.listed.push({ field, description });
  }

  /** Adds class-validator's errors of the fields of an object; no value of a field is in them. */
  addFields(fields: object, path: string): void {
    const options = { stopAtFirstError: true, validationError: { target: false, value: false } };
    for (const { property, constraints = {} } of validateSync(fields, options)) {
      for (const description of Object.values(constraints)) {
        this.add(`${path}.${property}`, description);
      }
    }
  }
}
