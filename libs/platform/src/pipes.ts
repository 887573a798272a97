/**
 * Ends the process quietly when its output is no longer read, as `head` does once it has seen
 * enough: that is no error. Any other error of the output ends the process with an error.
 */
export function endWithReader(
  streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr],
  exit: (code: number) => void = (code) => process.exit(code),
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      exit(0);
    });
  }
}
