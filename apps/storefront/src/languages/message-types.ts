/** What a message is given: texts that are ready to be shown, and numbers that are counted. */
export type MessageArguments = Readonly<Record<string, string | number>>;

/** A message in the schema: an example of what it is given, which tells its type, too. */
export interface MessageSchema<A extends MessageArguments = MessageArguments> {
  readonly example: A | null;
}

/** Messages by their names, in groups. */
export interface GroupSchema {
  readonly [name: string]: MessageSchema | GroupSchema;
}

/** A message that is given something. Its example is what tests try it with, in every language. */
export function takes<A extends MessageArguments>(example: A): { readonly example: A } {
  return { example };
}

/** A message that is always the same. */
export const PLAIN = { example: null } as const;

/** What a language writes: a message of ICU for each name, none missing and none too many. */
export type Messages<S> = {
  readonly [K in keyof S]: S[K] extends MessageSchema ? string : Messages<S[K]>;
};

/** What pages use: a text for each plain message, a function for each that is given something. */
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
