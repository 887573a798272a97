/** The arguments of a message: texts that are ready to be shown, and numbers that are counted. */
export type MessageArguments = Readonly<Record<string, string | number>>;

/** A message in the schema: an example of its arguments, which tells their types, too. */
export interface MessageSchema<A extends MessageArguments = MessageArguments> {
  readonly example: A | null;
}

/** Messages by their names, in groups. */
export interface GroupSchema {
  readonly [name: string]: MessageSchema | GroupSchema;
}

/** A message that is given something. Tests try it with its example, in every language. */
export function takes<A extends MessageArguments>(example: A): { readonly example: A } {
  return { example };
}

/** A message that is always the same. */
export const PLAIN = { example: null } as const;

/** The messages of a language: one of ICU for each name, none missing and none too many. */
export type Messages<S> = {
  readonly [K in keyof S]: S[K] extends MessageSchema ? string : Messages<S[K]>;
};

/** The texts as pages use them: a text for each plain message, a function for each with arguments. */
export type Texts<S> = {
  readonly [K in keyof S]: S[K] extends MessageSchema<infer A>
    ? S[K]['example'] extends null
      ? string
      : (given: A) => string
    : Texts<S[K]>;
};

/** Whether a part of a schema is a message, and no group. */
export function isMessage(part: MessageSchema | GroupSchema): part is MessageSchema {
  return 'example' in part;
}
