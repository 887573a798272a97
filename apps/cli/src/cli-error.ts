/** What ends a command: one clear sentence for the person at the terminal, and an exit code. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT_FAILED,
    /** Further lines, such as every bad row of a sheet. */
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The service said no, or could not be reached. */
export const EXIT_FAILED = 1;
/** The command was not understood: a missing argument, an unknown option, a file that is not there. */
export const EXIT_USAGE = 2;
