import type { Position } from '#domain/event';
import type { PersonalOwner } from '#domain/personal-data';
import type { KnownPlayers } from './known-players.js';
import type { LastErasures } from './last-erasures.js';
import type { OpenedPlayers } from './opened-players.js';

/** Receivers' answers to messages about players: they may repeat the message (rules/storage 15). */
export interface Answers {
  /**
   * Seals an answer under the player's key. Undefined, and not to be kept, where the player was erased since the
   * event.
   *
   * @throws Fault `undecodable` where the player is not there; `unavailable`.
   */
  sealAnswer(
    owner: AnswerOwner,
    message: AnsweredMessage,
    answer: string,
  ): Promise<string | undefined>;
  /**
   * Decrypts a text of `sealAnswer`; undefined where the player was erased since.
   *
   * @throws Fault `undecodable` where it was altered, or is of another player or message; `unavailable`.
   */
  openAnswer(owner: AnswerOwner, messageId: string, sealed: string): Promise<string | undefined>;
}

type AnswerOwner = Pick<PersonalOwner, 'appId' | 'player'>;

interface AnsweredMessage {
  readonly messageId: string;
  /** Of the event that it follows from. */
  readonly position: Position;
}

export function createAnswers(
  players: KnownPlayers,
  erasures: LastErasures,
  opened: OpenedPlayers,
): Answers {
  return {
    sealAnswer: async ({ appId, player }, { messageId, position }, answer) => {
      const known = await players.find(player);
      const erasedAt = await erasures.find(player, known);
      if (erasedAt !== null && position < erasedAt) return undefined;
      return opened.open(appId, player, known.state)?.key.seal(`answer ${messageId}`, answer);
    },
    openAnswer: async ({ appId, player }, messageId, sealed) => {
      const { state } = await players.find(player);
      return opened.open(appId, player, state)?.key.open(`answer ${messageId}`, sealed);
    },
  };
}
