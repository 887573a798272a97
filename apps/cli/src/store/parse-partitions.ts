import { MAX_PARTITIONS } from '#event-store';
import { CliError } from '../cli-error.js';

/** @param name of the number on the command line. @throws CliError `usage`. */
export function parsePartitions(text: string | undefined, name: string): number {
  const partitions = Number(text);
  if (Number.isInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS) {
    return partitions;
  }
  throw new CliError(`${name} must be a number from 1 to ${MAX_PARTITIONS}.`, 'usage');
}
