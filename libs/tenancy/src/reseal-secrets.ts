import { appAggregate, type CreatedApp } from '#domain/app';
import { categoryOf, idOf } from '#domain/event';
import { isRunning, validSecrets, webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { playerAggregate, type PlayerRegistered } from '#domain/player';
import type { CommandContext, CommandExecutor, FeedItem } from '#event-store';
import { assertDefect, Fault, newUuid, type Seal, sealingKeyId, wallClock } from '#platform';
import type { SecretPurpose } from './app-secrets.js';
import { sealedFor as sealedForPlayer } from './opened-players.js';

const REGISTERED: PlayerRegistered['type'] = 'player.registered.v1';
/** Of any version: one that this release does not know must not be passed over. */
const REGISTERED_OF_ANY_VERSION = /^player\.registered\./;

/** The categories whose streams hold texts that are sealed under MASTER_KEY (rules/storage 4). */
export const SEALED_CATEGORIES = [appAggregate, webhookEndpointAggregate, playerAggregate].map(
  ({ category }) => category,
);

/** A secret that counts now; one that another took the place of is not among them. */
export interface SealedSecret {
  readonly purpose: string;
  readonly sealed: string;
}

/** The secrets of one stream. */
export interface SealedStream {
  readonly streamName: string;
  readonly app: CreatedApp;
  readonly secrets: readonly SealedSecret[];
}

/**
 * Whether a stream is to be looked at for this event, where all events are read: that is so for one event
 * of each that holds secrets. The first events of players who were erased are gone.
 */
export function beginsSealedStream({ type, streamName, revision }: FeedItem): boolean {
  const isPlayer = categoryOf(streamName) === playerAggregate.category;
  return isPlayer ? REGISTERED_OF_ANY_VERSION.test(type) : revision === 0;
}

/**
 * The secrets that the stream of an event holds now; undefined where it holds none any more, or other ones
 * than those that this event begins with.
 *
 * @throws Fault `unavailable` or `undecodable`.
 */
export async function loadSealedStream(
  commands: CommandExecutor,
  event: FeedItem,
): Promise<SealedStream | undefined> {
  const { streamName } = event;
  const id = idOf(streamName);
  if (categoryOf(streamName) === playerAggregate.category) return loadPlayer(commands, event);
  if (categoryOf(streamName) === appAggregate.category) {
    const app = await loadApp(commands, id);
    return app && { streamName, app, secrets: listAppSecrets(app) };
  }
  const { state } = await commands.load(webhookEndpointAggregate, id);
  if (!isRunning(state)) return undefined;
  const app = await loadApp(commands, state.appId);
  // One that has expired signs nothing any more: its key may be gone.
  const secrets = validSecrets(state.secrets, wallClock.now()).map(
    ({ sealed }) => ({ purpose: 'webhook secret', sealed }) as const,
  );
  return app && { streamName, app, secrets };
}

/**
 * Seals the secrets of a stream anew that are not under the present master key. Done twice, it is done
 * once; a secret that is rotated meanwhile stays as it is.
 *
 * @returns how many they were. @throws Fault `undecodable` when one of them does not open: then
 *   nothing was changed; `unavailable`.
 */
export async function resealStream(
  commands: CommandExecutor,
  seal: Seal,
  { streamName, app, secrets }: SealedStream,
): Promise<number> {
  const { appId } = app;
  const [presentId] = seal.keyIds();
  const due = secrets.filter(({ sealed }) => sealingKeyId(sealed) !== presentId);
  if (due.length === 0) return 0;
  const resealed = new Map(
    due.map(({ purpose, sealed }) => {
      const text = seal.open(sealed, { appId, purpose });
      return [sealed, seal.seal(text, { appId, purpose })];
    }),
  );
  await append(commands, streamName, app, resealed);
  return due.length;
}

async function loadPlayer(
  commands: CommandExecutor,
  event: FeedItem,
): Promise<SealedStream | undefined> {
  if ('undecodable' in event) return undefined;
  const { streamName, type, data, metadata } = event;
  const player = idOf(streamName);
  if (type !== REGISTERED && beginsSealedStream(event)) throw writtenByNewer(event);
  const { state } = await commands.load(playerAggregate, player);
  if (state.status !== 'registered') return undefined;
  // A player who came back was registered twice, and has one key.
  const { sealedAccountId } = data as Partial<PlayerRegistered['data']>;
  if (type === REGISTERED && sealedAccountId !== state.sealedAccountId) return undefined;
  const app = await loadApp(commands, metadata.appId);
  const { purpose } = sealedForPlayer(metadata.appId, player);
  return app && { streamName, app, secrets: [{ purpose, sealed: state.sealedKey }] };
}

function writtenByNewer({ streamName, type }: FeedItem): Fault {
  const message = `${streamName} has a ${type}, which a newer release wrote: use that one`;
  return new Fault('undecodable', message, { retryable: false });
}

async function append(
  commands: CommandExecutor,
  streamName: string,
  { appId, environment }: CreatedApp,
  resealed: ReadonlyMap<string, string>,
): Promise<void> {
  const now = wallClock.now();
  const correlationId = newUuid();
  const context: CommandContext = { appId, environment, actor: 'cli', correlationId, now };
  if (categoryOf(streamName) === appAggregate.category) {
    const command = { kind: 'ResealSecrets', resealed } as const;
    const result = await commands.execute(appAggregate, appId, command, context);
    assertDefect(result.accepted, 'secrets of an app are sealed anew');
    return;
  }
  const id = idOf(streamName);
  if (categoryOf(streamName) === playerAggregate.category) {
    for (const [former, sealedKey] of resealed) {
      const command = { kind: 'ResealKey', former, sealedKey } as const;
      await commands.execute(playerAggregate, id, command, { ...context, player: id });
    }
    return;
  }
  const command = { kind: 'ResealSecrets', resealed } as const;
  // An endpoint that was deleted meanwhile has no secret any more.
  await commands.execute(webhookEndpointAggregate, id, command, context);
}

async function loadApp(commands: CommandExecutor, appId: string): Promise<CreatedApp | undefined> {
  const { state } = await commands.load(appAggregate, appId);
  return state.status === 'created' ? state : undefined;
}

function listAppSecrets(app: CreatedApp): readonly (SealedSecret & { purpose: SecretPurpose })[] {
  const { ingressSecrets, sealedApiKey, sealedTokenKey, sealedPseudonymKey, stripeKeys } = app;
  const { catalog } = app;
  return [
    ...ingressSecrets.map(({ sealed }) => ({ purpose: 'ingress secret', sealed }) as const),
    { purpose: 'API key', sealed: sealedApiKey },
    { purpose: 'token key', sealed: sealedTokenKey },
    { purpose: 'pseudonym key', sealed: sealedPseudonymKey },
    ...(stripeKeys === null ? [] : listStripeSecrets(stripeKeys)),
    ...(catalog === null
      ? []
      : [{ purpose: 'catalog API key', sealed: catalog.sealedApiKey } as const]),
  ];
}

function listStripeSecrets({
  sealedSecretKey,
  sealedWebhookSecret,
}: NonNullable<CreatedApp['stripeKeys']>) {
  return [
    { purpose: 'Stripe secret key', sealed: sealedSecretKey },
    { purpose: 'Stripe webhook secret', sealed: sealedWebhookSecret },
  ] as const;
}
