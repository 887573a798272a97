import { SubCommand } from 'nest-commander';
import { type LedgerStore, RevisionConflict } from '#event-store';
import { Fault, retry, wallClock } from '#platform';
import {
  cosignNote,
  formatVerifierKey,
  openCheckpoint,
  parseNote,
  readSigningKey,
  SIGNATURE_TYPES,
  type SigningKey,
} from '#seal';
import { type KnownKeys, readCosignedNote } from '#seal-audit';
import { CHECKPOINTS_STREAM, SealReader, toCosignatureEvent } from '#sealing';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { KEY_OPTION, type KeyOptions, orUsage, SealCommand } from './seal-command.js';

/** Checkpoints may come in between, seldom twice. */
const APPENDS = { attempts: 5, baseMs: 50, capMs: 1_000 };

interface CosignOptions extends KeyOptions {
  readonly signWith: string;
  readonly name: string;
}

@SubCommand({
  name: 'cosign',
  description:
    "put a second party's signature on the last checkpoint, with the time (C2SP tlog-cosignature); it is kept in the ledger, and stands in exports and proofs from then on",
})
@Options({
  ...KEY_OPTION,
  '--sign-with <file>': [
    "the second party's own key: a file as subledger seal key new makes it",
    (value) => value,
    { required: true },
  ],
  '--name <name>': [
    'the name of the second party, such as finance.example.com',
    (value) => value,
    { required: true },
  ],
})
export class CosignCheckpoint extends SealCommand {
  async run(_: string[], options: CosignOptions): Promise<void> {
    const keys = this.findKnownKeys(options);
    const pem = readText(options.signWith);
    const signer = orUsage(() => readSigningKey(options.name, pem, SIGNATURE_TYPES.cosignature));
    const size = await this.withStore(options, (store) =>
      retry(() => this.#cosign(store, keys, signer), APPENDS),
    );
    const key = formatVerifierKey(signer);
    print(
      options.json,
      { size, key },
      `The checkpoint of ${size} leaves is cosigned. Verifier key: ${key}`,
    );
  }

  async #cosign(store: LedgerStore, keys: KnownKeys, signer: SigningKey): Promise<number> {
    const reader = new SealReader(store);
    // Read before the checkpoint: a newer one moves it, and the append is refused.
    const expected = await reader.headRevision();
    const last = await this.requireLast(store);
    const { note } = last.checkpoint;
    const { size } = orRefused(() => openCheckpoint(note, keys.ofNote(note)));
    const cosigned = await readCosignedNote(reader, last);
    const { signatures } = parseNote(cosigned);
    if (signatures.some(({ name, id }) => name === signer.name && id === signer.id)) return size;
    const seconds = Math.floor(Date.parse(wallClock.now()) / 1_000);
    const line = cosignNote(note, signer, seconds).slice(note.length);
    try {
      await store.append(CHECKPOINTS_STREAM, expected, [toCosignatureEvent({ size, line })]);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      const message = 'another checkpoint was made meanwhile';
      throw new Fault('conflict', message, { retryable: true, cause: error });
    }
    return size;
  }
}

/** A checkpoint that its own log did not sign gets no second signature. */
function orRefused<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError(
      `The last checkpoint was not cosigned: ${message}`,
      'refused',
      [],
      'CHECKPOINT_WRONG',
    );
  }
}
