import { SubCommand } from 'nest-commander';
import type { EventStore, LedgerStore } from '#event-store';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { type AsOf, parseReplayEnd } from './as-of.js';
import { DocumentComparison } from './document-comparison.js';
import { findReplayable } from './replayable.js';
import { ReplayPrinter } from './replay-printer.js';
import { describeDocument, printVerdict } from './replay-text.js';
import { findShowing, readShownDocuments } from './shown-documents.js';
import { noSuchStream } from './no-such-stream.js';

interface ReplayOptions extends StoreCommandOptions {
  readonly asOf?: AsOf;
  readonly diff?: boolean;
}

@SubCommand({
  name: 'replay',
  arguments: '<stream>',
  description:
    'the state after each event of a stream, or of the stream of an id such as sub_01...: the changed fields, the ' +
    'author and the causes, and beside the last state the read model as it is now',
})
@Options({
  '--as-of <instant|revision>': [
    "up to this instant of the app's clock (2027-01-31T10:00:00Z) or this revision (3), both included",
    parseReplayEnd,
  ],
  '--diff':
    'print only the fields that the read model has otherwise than the domain, and end with 1 if there are any',
})
export class ReplayStream extends StoreCommand {
  async run([text = '']: string[], options: ReplayOptions): Promise<void> {
    const { asOf, diff: isDiff = false, json: isJson = false } = options;
    if (isDiff && asOf !== undefined) {
      const why = 'a read model is compared at its own revision';
      throw new CliError(`--diff and --as-of do not go together: ${why}.`, 'usage');
    }
    const { streamName, aggregate } = findReplayable(text);
    await this.withStore(options, async (store) => {
      // The documents are read before the stream, so that the store has each event that they have.
      const comparisons = await openComparisons(store, options, streamName);
      await requireEvents(store, streamName, asOf);
      if (isDiff) return printDifferences(store, streamName, comparisons, isJson);
      const replay = { streamName, aggregate, asOf, comparisons };
      return new ReplayPrinter(store, replay, isJson).print();
    });
  }
}

async function openComparisons(
  store: LedgerStore,
  options: ReplayOptions,
  streamName: string,
): Promise<DocumentComparison[]> {
  const showing = findShowing(streamName);
  if (showing.length === 0) return [];
  const documents = await readShownDocuments(store, options, streamName, showing);
  return showing.flatMap(({ name, recipe }, at) => {
    const document = documents[at];
    return document === undefined ? [] : [new DocumentComparison(name, document, recipe)];
  });
}

/** @throws CliError where the stream has no events, or ends before the revision. */
async function requireEvents(
  store: Pick<EventStore, 'headRevision'>,
  streamName: string,
  asOf: AsOf | undefined,
): Promise<void> {
  const head = await store.headRevision(streamName);
  if (head === -1) throw noSuchStream(streamName);
  if (asOf === undefined || !('revision' in asOf) || asOf.revision <= head) return;
  throw new CliError(
    `${streamName} ends with revision ${head}: it has no revision ${asOf.revision}.`,
  );
}

/** @throws CliError where fields differ, or a read model could not be compared. */
async function printDifferences(
  store: Pick<EventStore, 'readStream'>,
  streamName: string,
  comparisons: readonly DocumentComparison[],
  isJson: boolean,
): Promise<void> {
  if (comparisons.length === 0) {
    throw new CliError(`No read model has documents of such streams as ${streamName}.`);
  }
  await compareAll(store, streamName, comparisons);
  for (const comparison of comparisons) {
    const readModel = describeDocument(comparison);
    print(isJson, { stream: streamName, ...readModel }, printVerdict(comparison));
  }
  const verdicts = comparisons.map((comparison) => comparison.end());
  const differing = verdicts.flatMap((each) => (each.kind === 'compared' ? each.differences : []));
  if (differing.length > 0) {
    const count = differing.length === 1 ? '1 field differs' : `${differing.length} fields differ`;
    const message = `${streamName} is not shown as the domain has it: ${count}.`;
    throw new CliError(message, 'refused', [], 'READ_MODEL_DIFFERS');
  }
  const unread = verdicts.flatMap((each) => (each.kind === 'uncompared' ? [each.why] : []));
  if (unread.length === 0) return;
  const message = `Not every read model of ${streamName} could be compared; ask again when it answers.`;
  throw new CliError(message, 'refused', [...new Set(unread)], 'READ_MODEL_UNREAD');
}

async function compareAll(
  store: Pick<EventStore, 'readStream'>,
  streamName: string,
  comparisons: readonly DocumentComparison[],
): Promise<void> {
  const isAnyOpen = () => comparisons.some(({ isOpen }) => isOpen);
  if (!isAnyOpen()) return;
  for await (const event of store.readStream(streamName)) {
    for (const comparison of comparisons) comparison.add(event);
    if (!isAnyOpen()) return;
  }
}
