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

/** Texts under players' keys, at the edges where they are written and shown (decision 0017). */
export class PersonalData {
  readonly #opened: OpenedPlayers;
  readonly #players: KnownPlayers;
  readonly #erasures: LastErasures;

  constructor(private readonly options: Options) {
    this.#opened = new OpenedPlayers(options.seal);
    this.#players = new KnownPlayers(options.live);
    this.#erasures = new LastErasures(options.commands);
  }

  /**
   * Seals a studio's texts about a player, who gets a key of their own with the first one.
   *
   * @param context whose `player` is the pseudonym. @throws Fault of the store.
   */
  async seal(
    context: CommandContext & { readonly player: string },
    accountId: string,
    texts: PurchaseTexts,
  ): Promise<PersonalTexts> {
    const key = await register(this.options, this.#opened, context, accountId);
    return sealPurchase(key, texts);
  }

  /**
   * The same under the key that there is: none is made anew for a player who was erased, of whom nothing is
   * kept then.
   *
   * @throws Fault of the store.
   */
  async sealPresent({ appId, player }: PlayerOfApp, texts: PurchaseTexts): Promise<PersonalTexts> {
    const { state } = await this.#players.find(player);
    const present = this.#opened.open(appId, player, state);
    return present === undefined ? {} : sealPurchase(present.key, texts);
  }

  /** The player's data as others are shown them. @throws as `access`. */
  async open(owner: PersonalOwner): Promise<OpenedPersonalData> {
    return (await this.access(owner)).open(owner);
  }

  /**
   * Looks a player up once, so that shown and sealed texts of the player go by the same key, also where the player is
   * erased meanwhile. One whom memory has is known at once.
   *
   * @throws Fault `undecodable` where a text or the key does not open, or the player of a purchase is not there;
   *   `unavailable`.
   */
  access(owner: PersonalOwner): PlayerAccess | Promise<PlayerAccess> {
    const known = this.#players.recall(owner.player);
    return known && !wasEverErased(known) ? this.#accessAs(owner, known, null) : this.#look(owner);
  }

  /** The studio's own id of a player. @throws as `open`. */
  async accountId(owner: PersonalOwner): Promise<string> {
    return (await this.names(owner)).accountId;
  }

  /** The studio's own names of a player and of a purchase. @throws as `open`. */
  async names(owner: PersonalOwner): Promise<StudioNames> {
    return readNames(owner, await this.#players.findForAnswer(owner.player), this.#opened);
  }

  /** The same where memory has them, without waiting; undefined says nothing. @throws Fault `undecodable`. */
  recallNames(owner: PersonalOwner): StudioNames | undefined {
    // Of one who seems to be erased the store knows better: the player may have come back.
    const state = this.#players.recall(owner.player);
    return state && readNames(owner, state, this.#opened);
  }

  /**
   * Seals a receiver's answer to a message about a player under the player's key: it may repeat the message (rules/storage
   * 15). Undefined, and not to be kept, where the player was erased since the event.
   *
   * @throws Fault `undecodable` where the player is not there; `unavailable`.
   */
  async sealAnswer(
    { appId, player }: PlayerOfApp,
    { messageId, position }: AnsweredMessage,
    answer: string,
  ): Promise<string | undefined> {
    const known = await this.#players.find(player);
    const erasedAt = await this.#erasures.find(player, known);
    if (isBefore(position, erasedAt)) return undefined;
    return this.#opened.open(appId, player, known.state)?.key.seal(`answer ${messageId}`, answer);
  }

  /**
   * Decrypts a text of `sealAnswer`; undefined where the player was erased since.
   *
   * @throws Fault `undecodable` where it was altered, or is of another player or message; `unavailable`.
   */
  async openAnswer(
    { appId, player }: PlayerOfApp,
    messageId: string,
    sealed: string,
  ): Promise<string | undefined> {
    const { state } = await this.#players.find(player);
    return this.#opened.open(appId, player, state)?.key.open(`answer ${messageId}`, sealed);
  }

  async #look(owner: PersonalOwner): Promise<PlayerAccess> {
    const known = await this.#players.find(owner.player);
    return this.#accessAs(owner, known.state, await this.#erasures.find(owner.player, known));
  }

  #accessAs({ appId, player }: PersonalOwner, state: Player, erasedAt: Position | null) {
    return accessPlayer({ state, erasedAt }, this.#opened.open(appId, player, state));
  }
}

export function createPersonalData(options: Options): PersonalData {
  return new PersonalData(options);
}

type PlayerOfApp = Pick<PersonalOwner, 'appId' | 'player'>;

interface AnsweredMessage {
  readonly messageId: string;
  /** Of the event that it follows from. */
  readonly position: Position;
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
