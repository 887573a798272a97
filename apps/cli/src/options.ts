import { Option } from 'nest-commander';

/** The description of an option, with a parser where its value is neither its text nor that it is set. */
type OptionRow =
  | string
  | readonly [
      description: string,
      parse: (value: string, name: string) => unknown,
      more?: { readonly required?: true; readonly defaultValue?: number },
    ];

/** Gives a command its options by the flags that are typed: `@Options({ '--to <store>': 'where to copy' })`. */
export function Options(rows: Readonly<Record<string, OptionRow>>): ClassDecorator {
  return ({ prototype }) => {
    for (const [flags, row] of Object.entries(rows)) {
      const [description, parse = flags.includes('<') ? keepText : isSet, more] =
        typeof row === 'string' ? [row] : row;
      const [name = flags] = flags.split(' ', 1);
      // nest-commander notes an option on the method that parses its value.
      const method = { value: (value: string) => parse(value, name) };
      Object.defineProperty(prototype, name, method);
      Option({ flags, description, ...more })(prototype as object, name, method);
    }
  };
}

/** The parser of an option whose value is its text. */
export const keepText = (value: string): string => value;
const isSet = (): unknown => true;
