import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { SubCommand } from 'nest-commander';
import type { Position } from '#domain/event';
import type { NamespaceIdentity } from '#event-store';
import { EXIT_INTERRUPTED, onStopSignals } from '#platform';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { findEventStoreUrl, findNamespace } from '../data-dir.js';
import { readText } from '../files.js';
import { connectStore, StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { compareStores } from './copy/compare-stores.js';
import {
  beginSamples,
  BoundedPace,
  ConsideratePace,
  type CopyPace,
  UNPACED,
} from './copy/copy-pace.js';
import { CopyProgress } from './copy/copy-progress.js';
import { type CopyReport, describeReport, toReport } from './copy/copy-report.js';
import { StoreCopy } from './copy/store-copy.js';
import type { CopiedStores } from './copy/copy-windows.js';
import { findSwitched, switchBack } from './copy/moved-ledger.js';
import { switchLedger } from './copy/ledger-switch.js';
import { switchStreams } from './copy/switch-over.js';

/** The copy itself is ended between two passes alone. */
const NEVER = new AbortController().signal;

interface CopyOptions extends StoreCommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly untilCaughtUp?: boolean;
  readonly switch?: boolean;
  readonly switchBack?: boolean;
  readonly maxPerSecond?: number;
}

const SWITCHED_BACK =
  'The source is the ledger again: start its programs there. Empty the target before another copy.';

@SubCommand({
  name: 'copy',
  description:
    'copy the namespace into another event store, follow until SIGINT or SIGTERM, and compare both',
})
@Options({
  '--from <store>':
    'the data directory of a standalone or an event store, or a file with a connection string ' +
    '(EVENTSTOREDB_URL, or DATA_DIR)',
  '--to <store>': 'the same of the store to copy into',
  '--until-caught-up': 'end when all that the source has is in the target',
  '--max-per-second <events>': [
    'copy so many events a second at most, instead of as many as leave the appends of the source quick',
    (value) => {
      const events = Number(value);
      if (Number.isInteger(events) && events >= 1) return events;
      throw new CliError('--max-per-second must be a whole number from 1.', 'usage');
    },
  ],
  '--switch':
    'the last copy, when all programs are stopped: where both hold the same, the target is the ledger',
  '--switch-back':
    'copy nothing: the source is the ledger again, where no program has written in the target since the switch',
})
export class CopyStore extends StoreCommand {
  async run(_: string[], options: CopyOptions): Promise<void> {
    if (options.to === undefined) throw new CliError('Say with --to where to copy.', 'usage');
    const namespace = findNamespace(options, process.env);
    const from =
      options.from === undefined
        ? findEventStoreUrl(options, process.env)
        : readStoreUrl(options.from, '--from');
    const source = connectStore(from, namespace);
    const target = connectStore(readStoreUrl(options.to, '--to'), namespace);
    try {
      await (options.switchBack === true ? printSwitchBack : printCopy)(
        { source, target },
        options,
      );
    } catch (error) {
      const problem = await target.findSettingProblem(error);
      throw problem ?? (await source.findSettingProblem(error)) ?? error;
    } finally {
      await source.dispose();
      await target.dispose();
    }
  }
}

async function printSwitchBack(stores: CopiedStores, { json }: CopyOptions): Promise<void> {
  const { namespace, storeId } = await switchBack(stores);
  print(json, { namespace, storeId, isSwitchedBack: true }, SWITCHED_BACK);
}

async function printCopy(stores: CopiedStores, options: CopyOptions): Promise<void> {
  const report = await runCopy(stores, options);
  print(options.json, report, describeReport(report));
  if (!report.isSame) throw new CliError('Source and target differ.', 'refused');
}

async function runCopy(stores: CopiedStores, options: CopyOptions): Promise<CopyReport> {
  const progress = new CopyProgress(process.stderr);
  const isSwitch = options.switch === true;
  const { namespaces } = stores.source;
  const identity = await (isSwitch ? findSwitched(stores) : namespaces.require());
  const pace = isSwitch ? UNPACED : await choosePace(stores, identity, options);
  const copy = await StoreCopy.begin(stores, identity, progress, pace);
  const compare = (upTo: Position) => compareUpTo({ ...stores, pace }, copy, progress, upTo);
  if (isSwitch) return switchLedger({ stores, copy, compare });
  if (options.untilCaughtUp !== true) await follow(copy, progress, options);
  return compare(await copy.catchUp(NEVER));
}

/** Programs are at work on a source that is not switched. */
async function choosePace(
  { source }: CopiedStores,
  { namespace }: NamespaceIdentity,
  { maxPerSecond }: CopyOptions,
): Promise<CopyPace> {
  if (maxPerSecond !== undefined) return new BoundedPace(maxPerSecond);
  return new ConsideratePace(source, await beginSamples(source, namespace));
}

async function compareUpTo(
  stores: CopiedStores & { readonly pace: CopyPace },
  { identity }: StoreCopy,
  progress: CopyProgress,
  upTo: Position,
): Promise<CopyReport> {
  let read = 0;
  const comparison = await compareStores({
    ...{ ...stores, namespace: identity.namespace, upTo, signal: NEVER },
    leftOut: switchStreams(identity),
    onEvents: (count) => progress.compared((read += count)),
  });
  progress.clear();
  return toReport(identity, progress.events, comparison);
}

/** Until the first signal; a later one ends at once, and the copied events stay. */
async function follow(
  copy: StoreCopy,
  progress: CopyProgress,
  { json }: CopyOptions,
): Promise<void> {
  const stop = new AbortController();
  onStopSignals({
    stop: () => stop.abort(),
    interrupt: () => process.exit(EXIT_INTERRUPTED),
  });
  progress.onceCaughtUp(() => {
    const { events, behindMs } = progress;
    const said =
      `Caught up, ${behindMs / 1000} s behind: ${events} events copied. ` +
      'Following until SIGINT or SIGTERM.';
    print(json, { caughtUp: true, copied: events, behindMs }, said);
  });
  await copy.follow(stop.signal);
  progress.clear();
}

/** The file of the connection string in the data directory of a standalone, and in that of an event store. */
const FILES = [path.join('event-store', 'connection-string'), 'connection-string'];

/**
 * The connection string that an option names. Other accounts can read a command line, so that a connection string with
 * a password is taken from a file (rules/storage 3).
 *
 * @throws CliError `usage`.
 */
function readStoreUrl(named: string, option: string): string {
  if (/^esdb(\+discover)?:\/\//.test(named)) {
    if (!named.includes('@')) return named;
    throw new CliError(
      `${option} must not hold a password, since other accounts can read command lines: ` +
        'put the connection string into a file, and name that.',
      'usage',
    );
  }
  const place = path.resolve(named);
  if (!existsSync(place)) throw new CliError(`${option}: there is no ${place}.`, 'usage');
  if (!statSync(place).isDirectory()) return readText(place).trim();
  const file = FILES.map((name) => path.join(place, name)).find((each) => existsSync(each));
  if (file !== undefined) return readText(file).trim();
  throw new CliError(`${option}: no event store has run in ${place}.`, 'usage');
}
