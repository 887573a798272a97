import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { accept, type Decision, defineAggregate, unknownEvent } from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/** A player is known from here on: personal data stand under a key of this player alone (rules/storage 15). */
export type PlayerRegistered = DomainEvent<
  'player.registered.v1',
  {
    /** Under MASTER_KEY. */
    readonly sealedKey: string;
    /** The studio's id of the player, under the key. It stands in no other event. */
    readonly sealedAccountId: string;
    readonly registeredAt: Instant;
  }
>;
/** The same key as before, sealed under another master key (rules/storage 13). */
export type PlayerKeyResealed = DomainEvent<
  'player.key_resealed.v1',
  { readonly sealedKey: string }
>;
/** The key is no more, and texts sealed under it are as good as deleted. */
export type PlayerErased = DomainEvent<'player.erased.v1', { readonly erasedAt: Instant }>;
export type PlayerEvent = PlayerErased | PlayerKeyResealed | PlayerRegistered;

/** A player whose data can be opened. */
export interface RegisteredPlayer {
  readonly status: 'registered';
  readonly sealedKey: string;
  readonly sealedAccountId: string;
  /** Whether the player came back: data of before the erasure are not shown again (rules/storage 16). */
  readonly wasErased: boolean;
}

export type Player = { readonly status: 'none' | 'erased' } | RegisteredPlayer;

/** Two registrations of a player have sealed their id at different times: these digits tell them apart. */
const REGISTRATION_DIGITS = 32;

/**
 * Names one registration of a player, from the first key to the erasure: one who comes back has another. It
 * tells nothing of the player, and stays the same when master keys are exchanged.
 */
export function nameRegistration({ sealedAccountId }: RegisteredPlayer): string {
  return bytesToHex(sha256(utf8ToBytes(sealedAccountId))).slice(0, REGISTRATION_DIGITS);
}

export type PlayerCommand =
  | {
      readonly kind: 'RegisterPlayer';
      readonly player: Omit<PlayerRegistered['data'], 'registeredAt'>;
      readonly now: Instant;
    }
  | {
      readonly kind: 'ResealKey';
      /** The text whose place the other one takes. */
      readonly former: string;
      readonly sealedKey: string;
    }
  | { readonly kind: 'ErasePlayer'; readonly now: Instant };

/** Folds one event of a player. The first events of an erased one are gone. */
function evolvePlayer(state: Player, event: PlayerEvent): Player {
  switch (event.type) {
    case 'player.registered.v1': {
      if (state.status === 'registered') return state;
      const { sealedKey, sealedAccountId } = event.data;
      // The erasure itself is never cut off, so a fold begins with it at the latest.
      const wasErased = state.status === 'erased';
      return { status: 'registered', sealedKey, sealedAccountId, wasErased };
    }
    case 'player.key_resealed.v1':
      return state.status === 'registered' ? { ...state, ...event.data } : state;
    case 'player.erased.v1':
      return { status: 'erased' };
    default:
      return unknownEvent(state, event);
  }
}

/**
 * Decides for one player: the first key counts, until it is erased. One whose purchases are older than players'
 * keys has no events, and can be erased as well (rules/storage 16).
 */
function decidePlayer(command: PlayerCommand, state: Player): Decision<PlayerEvent, never> {
  switch (command.kind) {
    case 'RegisterPlayer': {
      if (state.status === 'registered') return accept();
      const data = { ...command.player, registeredAt: command.now };
      return accept({ type: 'player.registered.v1', data });
    }
    case 'ResealKey': {
      const { former, sealedKey } = command;
      if (state.status !== 'registered' || state.sealedKey !== former) return accept();
      return accept({ type: 'player.key_resealed.v1', data: { sealedKey } });
    }
    case 'ErasePlayer':
      if (state.status === 'erased') return accept();
      return accept({ type: 'player.erased.v1', data: { erasedAt: command.now } });
  }
}

export const playerAggregate = defineAggregate('player', {
  initialState: { status: 'none' },
  evolve: evolvePlayer,
  decide: decidePlayer,
});
