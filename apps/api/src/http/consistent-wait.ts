import type { FastifyRequest } from 'fastify';
import type { Position } from '#domain/event';
import { readBucket, readPlayerBucket } from '#domain/ids';
import type { EventStore, Partitions } from '#event-store';
import type { ConsistencyToken } from '#nest';
import { sleep } from '#platform';
import type { ReadModels } from '#projection-engine';

/**
 * The documents that a read looks at: all, an app's alone, those of the id in the path with their descendants, or the
 * lists of a player or, where none is asked for, of all players of an app.
 */
export type ReadScope = 'all' | 'app' | 'id' | 'player';

/**
 * The bucket of all that a request looks at; undefined for any.
 *
 * @param findPlayer the pseudonym of an app's player by the studio's own id.
 */
export async function findReadBucket(
  scope: ReadScope,
  { caller, params, query }: Pick<FastifyRequest, 'caller' | 'params' | 'query'>,
  findPlayer: (appId: string, externalAccountId: string) => Promise<string>,
): Promise<string | undefined> {
  if (scope === 'all') return undefined;
  const named = params as { readonly id?: string; readonly appId?: string };
  if (scope === 'id') return readBucket(named.id ?? '');
  const appId = (caller?.kind === 'operator' ? named.appId : caller?.appId) ?? '';
  if (scope === 'app') return readBucket(appId);
  if (caller?.kind === 'player') return readPlayerBucket(caller.player);
  const { externalAccountId: asked } = query as { readonly externalAccountId?: unknown };
  return typeof asked === 'string' ? readPlayerBucket(await findPlayer(appId, asked)) : undefined;
}

/**
 * The partitions for which a read waits until they show the position of a token: those that it looks at, and none where
 * the token is about another one (rules/api 15).
 *
 * @param read the bucket of all that is looked at; undefined for any.
 */
export function planWait(
  partitions: Partitions,
  { bucket }: Pick<ConsistencyToken, 'bucket'>,
  read: string | undefined,
): number[] {
  if (read === undefined) return partitions.numbers;
  const partition = partitions.findForBucket(read);
  const isAbout = bucket === undefined || partitions.findForBucket(bucket) === partition;
  return isAbout ? [partition] : [];
}

/** Most waits are over by then; later the store is asked whether the position can come. */
const ASK_STORE_AFTER_MS = 100;

/**
 * Waits until read models show a position, or all that the store has: a position beyond its end is that of an event
 * from before the ledger moved into this store (decision 0014), which has them all, or of one that a restore lost.
 *
 * @throws Fault `unavailable` after the limit.
 */
export async function waitUntilShown(
  { readModels, store }: WaitedFor,
  position: Position,
  options: Parameters<ReadModels['waitFor']>[1],
): Promise<void> {
  const shown = readModels.waitFor(position, options).then(() => true);
  // It may fail while the store is asked, and is looked at behind that.
  shown.catch(() => undefined);
  const isShown = await Promise.race([shown, sleep(ASK_STORE_AFTER_MS).then(() => false)]);
  if (isShown) return;
  const head = await store.headPosition();
  if (position > head) await readModels.waitFor(head, options);
  else await shown;
}

/** The waiting read models, and the store that is asked whether the position can come. */
export interface WaitedFor {
  readonly readModels: Pick<ReadModels, 'waitFor'>;
  readonly store: Pick<EventStore, 'headPosition'>;
}
