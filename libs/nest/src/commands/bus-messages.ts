import { Command, Query } from '@nestjs/cqrs';

/**
 * The base of a command of Nest's bus: plain data, given by names.
 *
 * `class CancelOrder extends commandWith<{ id: string }, OrderDto>() {}` has `id`, and the bus answers an
 * `OrderDto`.
 */
export function commandWith<Fields extends object, Answer = void>() {
  return withFields(Command) as new (fields: Fields) => Command<Answer> & Readonly<Fields>;
}

/** The same for a query. */
export function queryWith<Fields extends object, Answer>() {
  return withFields(Query) as new (fields: Fields) => Query<Answer> & Readonly<Fields>;
}

/** A class of the bus whose constructor assigns the fields that it is given. */
function withFields(Base: new () => object): new (fields: never) => object {
  return class extends Base {
    constructor(fields: object) {
      super();
      Object.assign(this, fields);
    }
  };
}
