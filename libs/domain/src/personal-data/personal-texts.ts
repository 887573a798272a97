/**
 * What an event says of a player beside the pseudonym: texts that are sealed under the player's key, each
 * absent where there is nothing (rules/storage 15, decision 0017). They are copied as they are; only what
 * shows them to others opens them.
 */
export interface PersonalTexts {
  /** The studio's own reference. */
  readonly referenceId?: string;
  /** Strings by name, as JSON: attached to the payments and sent with their webhooks. */
  readonly metadata?: string;
  /** Where the player can be written to, as the studio told it. */
  readonly email?: string;
  /** Strings by name for each item of an order, in their order, as JSON. */
  readonly itemMetadata?: string;
  /** Where the player's browser was when this was done. */
  readonly ipAddress?: string;
}

/** Whose texts they are. */
export interface PersonalOwner {
  readonly appId: string;
  /** The pseudonym. */
  readonly player: string;
  readonly personal: PersonalTexts;
}

/** What others are shown of a player. */
export interface OpenedPersonalData {
  /** The studio's own id of the player; `erased` once it is (rules/storage 15). */
  readonly accountId: string;
  /** The studio's own name of what was bought. */
  readonly referenceId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly email?: string;
  /** By the items of an order; absent where none has any. */
  readonly itemMetadata?: readonly Readonly<Record<string, string>>[];
  readonly ipAddress?: string;
}

/** What a studio calls a player, and what the player has bought. */
export type StudioNames = Pick<OpenedPersonalData, 'accountId' | 'referenceId'>;
