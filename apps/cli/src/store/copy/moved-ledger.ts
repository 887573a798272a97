/** Which of two stores a ledger is in that was moved between them (decision 0014). */
import type { KnownNamespace, MovedTo, NamespaceIdentity } from '#event-store';
import { CliError } from '../../cli-error.js';
import { type CopiedStores, readWindows } from './copy-windows.js';
import { CopyLog } from './copy-log.js';

/**
 * The ledger in the source of a switch: open, or closed for this target by a switch that was interrupted.
 *
 * @throws CliError where it was closed for another target; Fault.
 */
export async function findSwitched(stores: CopiedStores): Promise<NamespaceIdentity> {
  const known = await stores.source.namespaces.find();
  if (known?.movedTo === undefined) return stores.source.namespaces.require();
  await requireSameTarget(stores, known, known.movedTo);
  return known.identity;
}

/**
 * Makes the source the ledger again. The target is closed before, so that there never are two.
 *
 * @throws CliError where the target is another one, or something was written in it since the switch; Fault.
 */
export async function switchBack(stores: CopiedStores): Promise<NamespaceIdentity> {
  const { source, target } = stores;
  const known = await source.namespaces.find();
  if (known?.movedTo === undefined) {
    await source.namespaces.require();
    throw new CliError('The source has not been switched: it is the ledger.');
  }
  await requireSameTarget(stores, known, known.movedTo);
  const there = await target.namespaces.find();
  if (there !== undefined) {
    if (there.movedTo === undefined) await requireUnwritten(stores, there);
    await target.namespaces.moveAway({ address: source.address, copyId: '' });
  }
  return source.namespaces.takeBack();
}

/** How a target is described in a source that is closed for it. */
export async function describeTarget(
  { target }: CopiedStores,
  identity: NamespaceIdentity,
): Promise<MovedTo> {
  return { address: target.address, copyId: await CopyLog.findId(target, identity) };
}

/** By the copy in it, else by its address: it may be reached by another one, and it may have been emptied. */
async function requireSameTarget(
  { target }: CopiedStores,
  { identity }: KnownNamespace,
  { address, copyId }: MovedTo,
): Promise<void> {
  if (address === target.address) return;
  if (copyId !== '' && (await CopyLog.findId(target, identity)) === copyId) return;
  throw new CliError(
    `The ledger was moved to ${address}, and --to names another store: nothing was changed. ` +
      'Where that one was emptied, name it by the same address.',
  );
}

/** Events written there would be lost, or charged twice. */
async function requireUnwritten({ target }: CopiedStores, there: KnownNamespace): Promise<void> {
  const { signal } = new AbortController();
  const { identity, position } = there;
  for await (const window of readWindows(target, identity.namespace, position, signal)) {
    if (window.events.length > 0) {
      throw new CliError(
        'Programs have written in the target since the switch: it is the ledger, and nothing was changed.',
      );
    }
    if (window.isCaughtUp) return;
  }
}
