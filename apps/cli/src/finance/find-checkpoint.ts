import process from 'node:process';
import { parseInstant } from '#domain/calendar';
import type { LedgerStore } from '#event-store';
import { readConfig, SettingRefused, variables } from '#platform';
import { type FoundCheckpoint, readSealingKeys, sealNow, SealReader } from '#sealing';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { type DataDirOptions, findSealKeyFiles } from '../data-dir.js';

/** The end of the entries that a report counts: a checkpoint, by its size, by a moment, or made now. */
export type ReportEnd = number | { readonly instant: string } | 'now' | undefined;

/** @throws CliError `usage`. */
export function parseReportEnd(text: string): ReportEnd {
  if (text === 'now') return text;
  if (/^\d+$/.test(text)) return wholeNumber(text, '--as-of');
  const instant = parseInstant(text);
  if (instant !== undefined) return { instant };
  const message = `--as-of must be the size of a checkpoint, an instant such as 2027-01-31T10:00:00Z, or now, not ${JSON.stringify(text)}.`;
  throw new CliError(message, 'usage');
}

/** The checkpoint that a report counts to. @throws CliError where there is none; Fault. */
export async function findCheckpoint(
  store: LedgerStore,
  end: ReportEnd,
  options: DataDirOptions,
): Promise<FoundCheckpoint> {
  const found = await find(store, end, options);
  if (found !== undefined) return found;
  const last = await new SealReader(store).findLast();
  if (last === undefined) {
    throw new CliError('Nothing is sealed yet: a bookkeeper seals, or --as-of now does.');
  }
  const { size } = last.checkpoint;
  const wanted = typeof end === 'number' ? `of size ${end}` : 'of that moment or before';
  throw new CliError(`There is no checkpoint ${wanted}; the last one has the size ${size}.`);
}

async function find(store: LedgerStore, end: ReportEnd, options: DataDirOptions) {
  const reader = new SealReader(store);
  if (end === undefined) return reader.findLast();
  if (typeof end === 'number') return reader.find(end);
  if (end === 'now') return seal(store, options);
  for await (const seal of reader.listBackwards()) {
    if (seal.kind === 'checkpoint' && seal.sealedAt <= end.instant) return seal;
  }
  return undefined;
}

async function seal(store: LedgerStore, options: DataDirOptions) {
  const { originHost } = readConfig(process.env, { originHost: variables.sealOriginHost });
  try {
    const keys = await readSealingKeys(findSealKeyFiles(options, process.env));
    return await sealNow({ store, keys, originHost });
  } catch (error) {
    throw error instanceof SettingRefused ? new CliError(error.message, 'usage') : error;
  }
}
