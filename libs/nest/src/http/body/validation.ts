import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from '@nestjs/common';
import { type FieldViolation, invalidFields, MAX_VIOLATIONS } from '../answer/api-error.js';

/**
 * Requests against their DTOs: unknown fields are refused, since a misspelt `cancel_at_period_end`
 * must not cancel in the other way (rules/api 2), and every bad field is named at once.
 *
 * Validating costs more than all the rest of a command's way through HTTP, and most commands have
 * an empty body, most reads an empty query. Whether a DTO takes one is found out once, by its own
 * rules, and remembered.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly takeNothing = new Map<Type, boolean>();

  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      // A DTO without fields is no unknown value: its fields, all of them, are refused one by one.
      forbidUnknownValues: false,
      transform: true,
      stopAtFirstError: true,
      // An error that carries its target takes as much to make as the request has.
      validationError: { target: false, value: false },
      exceptionFactory: (errors) => {
        const violations = new Violations();
        for (const error of errors) violations.add(error, '');
        return invalidFields(violations.named, { violationCount: violations.count });
      },
    });
  }

  /**
   * Nothing is taken out of a body silently: names that could do harm are refused where it is parsed, but for those of
   * `StringsByName`, which are the caller's.
   */
  protected override stripProtoKeys(): void {
    return;
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data } = metadata;
    // A parameter that is named is one value of a query, and no DTO.
    const isWhole = type === 'body' || (type === 'query' && data === undefined);
    // A parameter is the text in the address: there is nothing to be made of it.
    if (type === 'param' && metatype === String) return value;
    if (!isWhole || metatype === undefined || !isEmpty(value)) {
      return (await super.transform(value, metadata)) as unknown;
    }
    if (this.takeNothing.get(metatype) === true) return new metatype() as unknown;
    const transformed: unknown = await super.transform(value ?? {}, metadata);
    this.takeNothing.set(metatype, true);
    return transformed;
  }
}

/** No body at all is the empty one: a DTO without required fields takes both. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The errors of class-validator: the first ones with their descriptions, the others counted. */
class Violations {
  readonly named: FieldViolation[] = [];
  count = 0;

  add({ property, constraints = {}, children = [] }: ValidationError, parent: string): void {
    const field = parent === '' ? property : `${parent}.${property}`;
    for (const [rule, description] of Object.entries(constraints)) {
      this.count += 1;
      if (this.named.length === MAX_VIOLATIONS) continue;
      const isUnknown = rule === 'whitelistValidation';
      this.named.push({
        field,
        description: isUnknown ? 'is not a field of this request' : description,
      });
    }
    for (const child of children) this.add(child, field);
  }
}
