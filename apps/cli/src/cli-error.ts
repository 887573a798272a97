/**
 * Exit codes for scripts: one for each kind of error (rules/operators 7).
 *
 * - refused: the service, or the ledger's rules, said no; asking again does not help.
 * - usage: the command or its settings were not understood; nothing was asked.
 * - unreachable: the service or the store did not answer; asking again may help.
 * - internal: a mistake of ours.
 */
export const EXIT_CODES = { refused: 1, usage: 2, unreachable: 3, internal: 4 } as const;
export type ErrorKind = keyof typeof EXIT_CODES;

export const EXIT_CODES_HELP = `
Exit codes: 0 done, 1 refused, 2 not understood, 3 not reached (try again), 4 a mistake of this program.
With --json an error is one object on stderr: {"error": {"kind", "reason", "message", "details", "exitCode"}}.`;

/** The end of a command: one clear sentence for the person at the terminal, and its kind. */
export class CliError extends Error {
  /**
   * @param details further lines, such as every bad row of a sheet.
   * @param reason the service's own word for it, such as `PLAN_CODE_TAKEN`; empty where it has none.
   */
  constructor(
    message: string,
    readonly kind: ErrorKind = 'refused',
    readonly details: readonly string[] = [],
    readonly reason = '',
  ) {
    super(message);
  }
}
