import type { Position } from '#domain/event';
import {
  type OpenedPersonalData,
  type PersonalOwner,
  type PersonalTexts,
  type StudioNames,
} from '#domain/personal-data';
import { type Player, playerAggregate } from '#domain/player';
import type { CommandContext, CommandExecutor, LiveAggregates } from '#event-store';
import { assertDefect, type Seal } from '#platform';
import { type Answers, createAnswers } from './answers.js';
import { KnownPlayers } from './known-players.js';
import { LastErasures } from './last-erasures.js';
import { ERASED, type OpenedPlayer, OpenedPlayers, sealedFor } from './opened-players.js';
import { PlayerKey } from './player-key.js';

/** A studio's own texts about a purchase of a player. */
export interface PurchaseTexts {
  readonly referenceId?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly email?: string | undefined;
  readonly ipAddress?: string | undefined;
  /** For each item of an order, in their order. */
  readonly itemMetadata?: readonly Readonly<Record<string, string>>[] | undefined;
}

/** Texts under players' keys, at the edges where they are written and shown (decision 0017). */
export interface PersonalData extends Answers {
  /**
   * Seals a studio's texts about a player, who gets a key of their own with the first one.
   *
   * @param context whose `player` is the pseudonym. @throws Fault of the store.
   */
  seal(
    context: CommandContext & { readonly player: string },
    accountId: string,
    texts: PurchaseTexts,
  ): Promise<PersonalTexts>;
  /**
   * The same under the key that there is: none is made anew for a player who was erased, of whom nothing is
   * kept then.
   *
   * @throws Fault of the store.
   */
  sealPresent(
    owner: Pick<PersonalOwner, 'appId' | 'player'>,
    texts: PurchaseTexts,
  ): Promise<PersonalTexts>;
  /** The player's data as others are shown them. @throws as `access`. */
  open(owner: PersonalOwner): Promise<OpenedPersonalData>;
  /**
   * Looks a player up once, so that shown and sealed texts of the player go by the same key, also where the player is
   * erased meanwhile. One whom memory has is known at once.
   *
   * @throws Fault `undecodable` where a text or the key does not open, or the player of a purchase is not there;
   *   `unavailable`.
   */
  access(owner: PersonalOwner): PlayerAccess | Promise<PlayerAccess>;
  /** The studio's own id of a player. @throws as `open`. */
  accountId(owner: PersonalOwner): Promise<string>;
  /** The studio's own names of a player and of a purchase. @throws as `open`. */
  names(owner: PersonalOwner): Promise<StudioNames>;
  /** The same where memory has them, without waiting; undefined says nothing. @throws Fault `undecodable`. */
  recallNames(owner: PersonalOwner): StudioNames | undefined;
}

/** The result of one look at a player. */
export interface PlayerAccess {
  /** Whether the player was erased after this event, also where the player came back since. */
  wasErasedAfter(position: Position): boolean;
  /** Whether there is no player to be shown: one who comes back is shown again. */
  readonly isErased: boolean;
  /** @param owner a purchase of this player. @throws Fault `undecodable`. */
  readonly open: (owner: PersonalOwner) => OpenedPersonalData;
}

/** In the place of `PlayerAccess.open`, where nothing of a player is to be shown. */
export const showNothing: PlayerAccess['open'] = () => ({ accountId: ERASED });

interface Options {
  /** Of `playerAggregate`, at least. */
  readonly live: LiveAggregates;
  readonly commands: CommandExecutor;
  readonly seal: Seal;
}

export function createPersonalData({ live, commands, seal }: Options): PersonalData {
  const opened = new OpenedPlayers(seal);
  const players = new KnownPlayers(live);
  const erasures = new LastErasures(commands);
  const accessAs = ({ appId, player }: PersonalOwner, state: Player, erasedAt: Position | null) =>
    accessPlayer({ state, erasedAt }, opened.open(appId, player, state));
  const lookUp = async (owner: PersonalOwner): Promise<PlayerAccess> => {
    const known = await players.find(owner.player);
    return accessAs(owner, known.state, await erasures.find(owner.player, known));
  };
  const access = (owner: PersonalOwner) => {
    const known = players.recall(owner.player);
    return known && !wasEverErased(known) ? accessAs(owner, known, null) : lookUp(owner);
  };
  const findNames: PersonalData['names'] = async (owner) => {
    const state = await players.findForAnswer(owner.player);
    return readNames(owner, state, opened);
  };
  return {
    ...createAnswers(players, erasures, opened),
    seal: async (context, accountId, texts) => {
      const key = await register({ live, commands, seal }, opened, context, accountId);
      return sealPurchase(key, texts);
    },
    sealPresent: async ({ appId, player }, texts) => {
      const { state } = await players.find(player);
      const present = opened.open(appId, player, state);
      return present === undefined ? {} : sealPurchase(present.key, texts);
    },
    access,
    open: async (owner) => (await access(owner)).open(owner),
    accountId: async (owner) => (await findNames(owner)).accountId,
    names: findNames,
    recallNames: (owner) => {
      const state = players.recall(owner.player);
      // Of one who seems to be erased the store knows better: the player may have come back.
      return state && readNames(owner, state, opened);
    },
  };
}

function wasEverErased(state: Player): boolean {
  return state.status === 'erased' || (state.status === 'registered' && state.wasErased);
}

/** Data from before an erasure end with it. */
function isBefore(position: Position, erasedAt: Position | null): boolean {
  return erasedAt !== null && position < erasedAt;
}

function accessPlayer(
  { state, erasedAt }: { readonly state: Player; readonly erasedAt: Position | null },
  found: OpenedPlayer | undefined,
): PlayerAccess {
  return {
    wasErasedAfter: (position) => isBefore(position, erasedAt),
    isErased: state.status === 'erased',
    open: (owner) => (found === undefined ? showNothing(owner) : openSealed(found, owner.personal)),
  };
}

/** The player's key: a new one, where there is none. Of several that come at once the first one counts. */
async function register(
  { live, commands, seal }: Options,
  opened: OpenedPlayers,
  context: CommandContext & { readonly player: string },
  accountId: string,
): Promise<PlayerKey> {
  const { appId, player, now } = context;
  const state = await recallPlayer({ live, commands }, player);
  const present = state && opened.open(appId, player, state);
  if (present !== undefined) return present.key;
  const key = PlayerKey.create(appId, player);
  const sealedKey = seal.seal(key.encode(), sealedFor(appId, player));
  const sealedAccountId = key.seal('accountId', accountId);
  const registered = { sealedKey, sealedAccountId };
  const command = { kind: 'RegisterPlayer', player: registered, now } as const;
  // One who is there after all is found by the conflict.
  const isNew = state === undefined || state.status === 'none';
  const result = await commands.execute(playerAggregate, player, command, context, { isNew });
  assertDefect(result.accepted, 'registering a player is never rejected');
  // Its own registration need not be opened.
  if (result.state.status === 'registered' && result.state.sealedKey === sealedKey) return key;
  const known = opened.open(appId, player, result.state);
  assertDefect(known !== undefined, 'a player was registered');
  return known.key;
}

/**
 * The player in memory. Most of whom this process has seen nothing are new, and are not looked for in the store; one
 * whom it registered itself is kept current from now on.
 */
async function recallPlayer(
  { live, commands }: Pick<Options, 'live' | 'commands'>,
  player: string,
): Promise<Player | undefined> {
  const known = live.recall(playerAggregate, player)?.state;
  if (known !== undefined || commands.recall(playerAggregate, player) === undefined) return known;
  return (await live.get(playerAggregate, player)).state;
}

function sealPurchase(key: PlayerKey, texts: PurchaseTexts): PersonalTexts {
  const { referenceId = '', metadata = {}, email = '', ipAddress = '', itemMetadata = [] } = texts;
  return {
    ...(referenceId !== '' && { referenceId: key.seal('referenceId', referenceId) }),
    ...(Object.keys(metadata).length > 0 && {
      metadata: key.seal('metadata', JSON.stringify(metadata)),
    }),
    ...(itemMetadata.some((one) => Object.keys(one).length > 0) && {
      itemMetadata: key.seal('itemMetadata', JSON.stringify(itemMetadata)),
    }),
    ...(email !== '' && { email: key.seal('email', email) }),
    ...(ipAddress !== '' && { ipAddress: key.seal('ipAddress', ipAddress) }),
  };
}

function readNames(owner: PersonalOwner, state: Player, players: OpenedPlayers): StudioNames {
  const found = players.open(owner.appId, owner.player, state);
  if (found === undefined) return { accountId: ERASED };
  const sealed = owner.personal.referenceId;
  const referenceId = sealed === undefined ? undefined : found.key.open('referenceId', sealed);
  return { accountId: found.accountId, ...(referenceId !== undefined && { referenceId }) };
}

function openSealed({ key, accountId }: OpenedPlayer, personal: PersonalTexts): OpenedPersonalData {
  const open = (field: 'referenceId' | 'metadata' | 'itemMetadata' | 'email' | 'ipAddress') => {
    const sealed = personal[field];
    return sealed === undefined ? undefined : key.open(field, sealed);
  };
  const [metadata, email, ipAddress] = [open('metadata'), open('email'), open('ipAddress')];
  const [referenceId, itemMetadata] = [open('referenceId'), open('itemMetadata')];
  return {
    accountId,
    ...(referenceId !== undefined && { referenceId }),
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
    ...(itemMetadata !== undefined && { itemMetadata: parseItemMetadata(itemMetadata) }),
    ...(email !== undefined && { email }),
    ...(ipAddress !== undefined && { ipAddress }),
  };
}

/** The ledger wrote it itself, as strings by name. */
function parseMetadata(text: string): Readonly<Record<string, string>> {
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

/** As `parseMetadata`, for each item. */
function parseItemMetadata(text: string): readonly Readonly<Record<string, string>>[] {
  return JSON.parse(text) as readonly Readonly<Record<string, string>>[];
}
