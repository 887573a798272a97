import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The result of the work. A signal that would end the process makes it reject instead, so that who called can clean up;
 * further signals are not heeded, since npm sends the terminal's a second time.
 */
export async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  // Its errors after an interruption are of no interest: its surroundings are being removed.
  work.catch(() => undefined);
  let interrupt: (signal: NodeJS.Signals) => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = (signal) => reject(new Error(`It was interrupted by ${signal}.`));
  });
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return Promise.race([work, interrupted]);
}
