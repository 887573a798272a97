import { SubCommand } from 'nest-commander';
import type { LedgerStore } from '#event-store';
import { CliError } from '../cli-error.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

/** The state of a store, and whether a ledger can work on it. */
export type StoreCheck = Awaited<ReturnType<typeof checkStore>>;

/**
 * Looks at a store and writes nothing. It is fit for a ledger when it lacks nothing, and usable once the namespace was
 * opened. @throws Fault where it is out of reach or knows no such user.
 */
export async function checkStore(store: LedgerStore) {
  const { version, isSupported, leader = null, tls, namespace, ...rest } = await store.inspect();
  const { missingRights } = rest;
  // Whether the namespace is open stands in a stream.
  const isReadable = !missingRights.includes('read streams');
  const known = isReadable ? await store.namespaces.find() : undefined;
  const movedTo = known?.movedTo?.address ?? null;
  const isOpen = known !== undefined && movedTo === null;
  const isFit = isSupported && leader !== null && missingRights.length === 0;
  const isUsable = isFit && isOpen;
  const own = { namespace, isOpen, movedTo };
  return { version, isSupported, leader, tls, ...own, missingRights, isFit, isUsable };
}

/** As people read it, one line for each thing. */
export function describeCheck(found: StoreCheck): string {
  const { version, isSupported, leader, tls, namespace, missingRights } = found;
  return [
    `version    ${version}${isSupported ? '' : ' (too old)'}`,
    `leader     ${leader ?? 'none'}`,
    `TLS        ${tls ? 'yes' : 'no'}`,
    `namespace  "${namespace}" ${describeState(found)}`,
    `rights     ${missingRights.length === 0 ? 'all' : `missing: ${missingRights.join(', ')}`}`,
  ].join('\n');
}

function describeState({ isOpen, movedTo }: StoreCheck): string {
  if (movedTo !== null) return `was moved to ${movedTo}`;
  return isOpen ? 'is open' : 'has not been opened: subledger store init';
}

@SubCommand({
  name: 'check',
  description: 'whether the event store has all that a ledger needs; writes nothing',
})
export class CheckStore extends StoreCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const found = await this.withStore(options, checkStore);
    print(options.json, found, describeCheck(found));
    if (found.isUsable) return;
    const unfit = 'The event store does not give the ledger all that it needs.';
    const notOpen =
      found.movedTo === null
        ? 'Nothing is missing but the namespace.'
        : 'The ledger is in another event store now.';
    throw new CliError(found.isFit ? notOpen : unfit, 'refused');
  }
}
