import { CliError } from './cli-error.js';

interface Bounds {
  /** 0 where the first of them has that number. */
  readonly least?: 0 | 1;
  /** The text that may stand before it, as in "v3". */
  readonly prefix?: string;
}

/**
 * A whole number of nine digits at most.
 *
 * @param name of the argument or option, as it is written. @throws CliError naming it.
 */
export function wholeNumber(
  text: string,
  name: string,
  { least = 1, prefix = '' }: Bounds = {},
): number {
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (/^(?:0|[1-9]\d{0,8})$/.test(digits) && Number(digits) >= least) return Number(digits);
  throw new CliError(
    `${name} must be a whole number from ${least} on, not ${JSON.stringify(text)}.`,
    'usage',
  );
}
