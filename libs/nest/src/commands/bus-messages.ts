import { Command, Query } from '@nestjs/cqrs';

/**
 * The base of a command of Nest's bus: plain data, given by names.
 *
 * `class CancelOrder extends commandWith<{ id: string }, OrderDto>() {}` has `id`, and the bus answers an
 * `OrderDto`.
 */
export function commandWith<Fields extends object, Answer = void>() {
  class CommandWithFields extends Command<Answer> {
    constructor(fields: Fields) {
      super();
      Object.assign(this, fields);
    }
  }
  // The constructor has just assigned the fields.
  return CommandWithFields as new (fields: Fields) => Command<Answer> & Readonly<Fields>;
}

/** The same for a query. */
export function queryWith<Fields extends object, Answer>() {
  class QueryWithFields extends Query<Answer> {
    constructor(fields: Fields) {
      super();
      Object.assign(this, fields);
    }
  }
  // The constructor has just assigned the fields.
  return QueryWithFields as new (fields: Fields) => Query<Answer> & Readonly<Fields>;
}
