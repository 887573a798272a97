/** An object that is being put together, field by field. */
export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
