import { SubCommand } from 'nest-commander';
import { parseCheckpoint, parseNote } from '#seal';
import { countUnsealed, type FoundCheckpoint, SealReader } from '#sealing';
import { print, table } from '../output.js';
import type { StoreCommandOptions } from '../store-command.js';
import { SealCommand } from './seal-command.js';

@SubCommand({
  name: 'status',
  description:
    'show the last checkpoint: its size, root, log, keys and time, and how many events behind it are not attested',
})
export class SealStatus extends SealCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const status = await this.withStore(options, async (store) => {
      await store.namespaces.require();
      const last = await new SealReader(store).findLast();
      const unattested = await countUnsealed(store, last);
      return { ...(last === undefined ? { size: 0 } : describeCheckpoint(last)), unattested };
    });
    print(options.json, status, printStatus(status));
  }
}

/** A checkpoint for programs. */
export function describeCheckpoint({ checkpoint, storedAt }: FoundCheckpoint) {
  const { text, signatures } = parseNote(checkpoint.note);
  const { origin, size, root } = parseCheckpoint(text);
  const keys = signatures.map(({ name, id }) => `${name}+${id}`);
  return { origin, size, root: root.toString('base64'), keys, storedAt };
}

function printStatus(status: { readonly size: number; readonly unattested: number } & object) {
  if (status.size === 0) return `No checkpoint yet: ${status.unattested} events are not attested.`;
  const rows = Object.entries(status).map(([name, value]) => [name, String(value)]);
  return table(['FIELD', 'VALUE'], rows);
}
