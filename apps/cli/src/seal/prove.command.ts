import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SubCommand } from 'nest-commander';
import { streamsOfId } from '#causes';
import type { LedgerStore, VerbatimEvent } from '#event-store';
import { type ProvedEvent, proveEvents } from '#seal-audit';
import { CliError } from '../cli-error.js';
import { orUnwritable } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import type { StoreCommandOptions } from '../store-command.js';
import { noSuchStream } from '../streams/no-such-stream.js';
import { SealCommand } from './seal-command.js';

/** Events that are read at a time. */
const EVENTS_READ = 500;

interface ProveOptions extends StoreCommandOptions {
  readonly out: string;
  readonly stream?: string;
}

@SubCommand({
  name: 'prove',
  arguments: '<what>',
  description:
    'prove by the last checkpoint that an event was sealed as it is stored: the id of an event with --stream, into a file; ' +
    'or all events of a subscription, a payment or another id, or of a stream, into a directory with a file for each, REVISION.tlog-proof',
})
@Options({
  '--out <path>': ['the file, or the directory', (value) => value, { required: true }],
  '--stream <name>': "the stream of an event that is named by its id, or its object's id",
})
export class ProveEvents extends SealCommand {
  async run([what = '']: string[], options: ProveOptions): Promise<void> {
    const isOne = options.stream !== undefined;
    const written = await this.withStore(options, async (store) => {
      const last = await this.requireLast(store);
      const stream = await findStream(store, options.stream ?? what);
      const events = await readEvents(store, stream, isOne ? what : undefined);
      const proving = proveEvents(store, last, events);
      return orUnwritable(options.out, () => writeAll(proving, options.out, isOne));
    });
    for (const proof of written) print(options.json, proof, describe(proof));
    const without = written.filter(({ leaf }) => leaf === null);
    if (without.length === 0) return;
    const message =
      `${without.length} events are in no checkpoint, or are not as they were sealed. For a new one: subledger seal ` +
      'checkpoint; for the difference: subledger seal verify';
    throw new CliError(message, 'refused', [], 'EVENT_NOT_ATTESTED');
  }
}

interface Proof extends Omit<ProvedEvent, 'proved'> {
  readonly leaf: number | null;
  readonly file: string | null;
}

async function findStream(store: LedgerStore, text: string): Promise<string> {
  const names = text.includes('-') ? [text] : streamsOfId(text);
  for (const name of names) {
    const stored = store.names.toStored(name);
    const [first] = await store.verbatim.readStream(stored, { maxCount: 1 });
    if (first !== undefined) return stored;
  }
  throw noSuchStream(text);
}

async function readEvents(
  store: LedgerStore,
  stream: string,
  eventId: string | undefined,
): Promise<VerbatimEvent[]> {
  const found: VerbatimEvent[] = [];
  for (let fromRevision = 0; ;) {
    const read = { fromRevision, maxCount: EVENTS_READ };
    const events = await store.verbatim.readStream(stream, read);
    found.push(...events.filter(({ id }) => eventId === undefined || id === eventId));
    fromRevision = (events.at(-1)?.revision ?? 0) + 1;
    if (events.length < EVENTS_READ) break;
  }
  if (found.length === 0) throw new CliError(`There is no event ${eventId ?? ''} in ${stream}.`);
  return found;
}

async function writeAll(
  proving: AsyncIterable<ProvedEvent>,
  out: string,
  isOne: boolean,
): Promise<Proof[]> {
  if (!isOne) await mkdir(out, { recursive: true });
  const proofs: Proof[] = [];
  for await (const event of proving) proofs.push(await write(event, out, isOne));
  return proofs;
}

async function write(
  { proved, ...event }: ProvedEvent,
  out: string,
  isOne: boolean,
): Promise<Proof> {
  if (proved === undefined) return { ...event, leaf: null, file: null };
  const file = isOne ? out : path.join(out, `${event.revision}.tlog-proof`);
  await writeFile(`${file}.part`, proved.text);
  await rename(`${file}.part`, file);
  return { ...event, leaf: proved.leaf, file };
}

function describe({ revision, type, leaf, file }: Proof): string {
  return `${revision}  ${type}  ${leaf === null ? 'not attested' : `leaf ${leaf}  ${file ?? ''}`}`;
}
