import { IntlMessageFormat } from 'intl-messageformat';
import {
  type GroupSchema,
  isMessage,
  type MessageArguments,
  type Messages,
  type Texts,
} from './message-types.js';

/** Texts are plain: React escapes them, and a `<` in one is no tag. */
const OPTIONS = { ignoreTag: true } as const;

/**
 * The texts of a language, ready to be used. A message is parsed when it is used first, and then kept: a
 * process parses each of them once at most, and its start none (decision 0037).
 *
 * @param locale whose plurals and digits count, as a tag of BCP 47.
 */
export function compileTexts<S extends GroupSchema>(
  schema: S,
  messages: Messages<S>,
  locale: string,
): Texts<S> {
  const texts = Object.entries(schema).map(([name, part]) => {
    const written: unknown = messages[name];
    if (!isMessage(part)) {
      // Messages of a group have its shape by their type.
      return [name, compileTexts(part, written as Messages<typeof part>, locale)];
    }
    const message = String(written);
    return [name, part.example === null ? message : compileMessage(message, locale)];
  });
  // The entries are those of the schema, each with a text or a function as the schema says.
  return Object.fromEntries(texts) as Texts<S>;
}

function compileMessage(message: string, locale: string): (given: MessageArguments) => string {
  let format: IntlMessageFormat | undefined;
  return (given) => {
    format ??= new IntlMessageFormat(message, locale, undefined, OPTIONS);
    return String(format.format(given));
  };
}
