/** Node's name for its warning that a TLS server is called by an address. */
const CALLED_BY_ADDRESS = 'DEP0123';

let isQuiet = false;

/**
 * grpc-js names each server by the host of the connection string, and Node warns of addresses once in a process:
 * servers of several sites under one address could not tell which is meant. A store has one certificate, and the client
 * checks that it is for that address; the warning would only worry those who read it.
 */
export function keepQuietAboutAddresses(): void {
  if (isQuiet) return;
  isQuiet = true;
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (!args.includes(CALLED_BY_ADDRESS)) emitWarning(...args);
  };
}
