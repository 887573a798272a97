import {
  type OpenedPersonalData,
  type PersonalOwner,
  type PersonalTexts,
  PLAIN,
} from '#domain/personal-data';
import { type Player, playerAggregate, type RegisteredPlayer } from '#domain/player';
import type { CommandContext, CommandExecutor, LiveAggregates } from '#event-store';
import { assertDefect, type Seal } from '#platform';
import { PlayerKey } from './player-key.js';

/** In the place of the studio's id of a player who was erased (rules/storage 15). */
export const ERASED = 'erased';

/** A studio's own texts about a purchase of a player. */
export interface PurchaseTexts {
  readonly referenceId?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** What stands under players' keys, at the edges where it is written and shown (decision 0097). */
export interface PersonalData {
  /**
   * Seals what a studio tells of a player, who gets a key of their own with the first of it.
   *
   * @param context whose `player` is the pseudonym. @throws Fault of the store.
   */
  seal(
    context: CommandContext & { readonly player: string },
    accountId: string,
    texts: PurchaseTexts,
  ): Promise<PersonalTexts>;
  /** What others are shown. @throws Fault `undecodable`, or `unavailable` where the player has to be read. */
  open(owner: PersonalOwner): Promise<OpenedPersonalData>;
  /**
   * Seals a message about a player, for as long as it waits to be sent. One that shows nothing of a player
   * any more, or what events hold in plain text, is only marked as such. @throws as `open`.
   */
  sealMessage(owner: PersonalOwner, messageId: string, body: string): Promise<string>;
  /** The body of such a message; undefined where the player was erased meanwhile. @throws as `open`. */
  openMessage(
    owner: Pick<PersonalOwner, 'appId' | 'player'>,
    messageId: string,
    sealed: string,
  ): Promise<string | undefined>;
  /** The studio's own id of a player. @throws as `open`. */
  accountId(owner: PersonalOwner): Promise<string>;
  /** The same where memory has it, without waiting; undefined says nothing. @throws Fault `undecodable`. */
  recallAccountId(owner: PersonalOwner): string | undefined;
}

interface Options {
  /** Of `playerAggregate`, at least. */
  readonly live: LiveAggregates;
  readonly commands: CommandExecutor;
  readonly seal: Seal;
}

export function createPersonalData({ live, commands, seal }: Options): PersonalData {
  const opened = new OpenedPlayers(seal);
  const find = async ({
    appId,
    player,
  }: Pick<PersonalOwner, 'appId' | 'player'>): Promise<OpenedPlayer | undefined> => {
    let { state } = await live.get(playerAggregate, player);
    // The stream of a player whose purchase is known is there, though memory may not show it yet.
    if (state.status === 'none') ({ state } = await live.refresh(playerAggregate, player));
    return opened.open(appId, player, state);
  };
  const openAll = async (owner: PersonalOwner): Promise<OpenedPersonalData> => {
    if (owner.personal.accountId !== undefined) return openPlain(owner.personal);
    const found = await find(owner);
    return found === undefined ? { accountId: ERASED } : openSealed(found, owner.personal);
  };
  return {
    seal: async (context, accountId, texts) => {
      const key = await register({ live, commands, seal }, opened, context, accountId);
      const { referenceId = '', metadata = {} } = texts;
      return {
        ...(referenceId !== '' && { referenceId: key.seal('referenceId', referenceId) }),
        ...(Object.keys(metadata).length > 0 && {
          metadata: key.seal('metadata', JSON.stringify(metadata)),
        }),
      };
    },
    open: openAll,
    sealMessage: async (owner, messageId, body) => {
      const isPlain = owner.personal.accountId !== undefined;
      const found = isPlain ? undefined : await find(owner);
      return found?.key.seal(`webhook ${messageId}`, body) ?? `${PLAIN}${body}`;
    },
    openMessage: async (owner, messageId, sealed) => {
      if (sealed.startsWith(PLAIN)) return plainText(sealed);
      return (await find(owner))?.key.open(`webhook ${messageId}`, sealed);
    },
    accountId: async (owner) => {
      if (owner.personal.accountId !== undefined) return plainText(owner.personal.accountId);
      return (await find(owner))?.accountId ?? ERASED;
    },
    recallAccountId: ({ appId, player, personal }) => {
      if (personal.accountId !== undefined) return plainText(personal.accountId);
      const state = live.recall(playerAggregate, player)?.state;
      if (state === undefined || state.status === 'none') return undefined;
      return opened.open(appId, player, state)?.accountId ?? ERASED;
    },
  };
}

/** A player whose data are open. */
interface OpenedPlayer {
  readonly key: PlayerKey;
  readonly accountId: string;
}

/** Opened once for each state that is in memory, and forgotten with it. */
class OpenedPlayers {
  readonly #known = new WeakMap<RegisteredPlayer, OpenedPlayer>();

  constructor(private readonly seal: Seal) {}

  open(appId: string, player: string, state: Player): OpenedPlayer | undefined {
    if (state.status !== 'registered') return undefined;
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    const text = this.seal.open(state.sealedKey, sealedFor(appId, player));
    const key = new PlayerKey(appId, player, Buffer.from(text, 'base64'));
    const accountId = key.open('accountId', state.sealedAccountId) ?? ERASED;
    const opened = { key, accountId };
    this.#known.set(state, opened);
    return opened;
  }
}

/** The player's key: a new one, where there is none. Of several that come at once the first one counts. */
async function register(
  { live, commands, seal }: Options,
  opened: OpenedPlayers,
  context: CommandContext & { readonly player: string },
  accountId: string,
): Promise<PlayerKey> {
  const { appId, player, now } = context;
  const { state } = await live.get(playerAggregate, player);
  const present = opened.open(appId, player, state);
  if (present !== undefined) return present.key;
  const key = PlayerKey.create(appId, player);
  const sealedKey = seal.seal(key.encode(), sealedFor(appId, player));
  const sealedAccountId = key.seal('accountId', accountId);
  const registered = { sealedKey, sealedAccountId };
  const command = { kind: 'RegisterPlayer', player: registered, now } as const;
  const result = await commands.execute(playerAggregate, player, command, context);
  assertDefect(result.accepted, 'registering a player is never rejected');
  const known = opened.open(appId, player, result.state);
  assertDefect(known !== undefined, 'a player was registered');
  return known.key;
}

/** What a player's key is sealed for, under MASTER_KEY. */
export function sealedFor(appId: string, player: string) {
  return { appId, purpose: `player key ${player}` };
}

function openSealed({ key, accountId }: OpenedPlayer, { metadata }: PersonalTexts) {
  const text = metadata === undefined ? undefined : key.open('metadata', metadata);
  return text === undefined ? { accountId } : { accountId, metadata: parseMetadata(text) };
}

/** Events of before decision 0097. */
function openPlain({ accountId = '', metadata }: PersonalTexts): OpenedPersonalData {
  if (metadata === undefined) return { accountId: plainText(accountId) };
  return { accountId: plainText(accountId), metadata: parseMetadata(plainText(metadata)) };
}

function plainText(text: string): string {
  return text.slice(PLAIN.length);
}

/** We sealed it ourselves, as strings by name. */
function parseMetadata(text: string): Readonly<Record<string, string>> {
  return JSON.parse(text) as Readonly<Record<string, string>>;
}
