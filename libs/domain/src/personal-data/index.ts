/**
 * An event's texts about a player beside the pseudonym, sealed under the player's key, each absent where there is
 * nothing (rules/storage 15, decision 0017). They are copied sealed; they are opened only to be shown.
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
  /** The address of the player's browser at the time. */
  readonly ipAddress?: string;
}

/** Whose texts they are. */
export interface PersonalOwner {
  readonly appId: string;
  /** The pseudonym. */
  readonly player: string;
  readonly personal: PersonalTexts;
}

/** A player's data as others are shown them. */
export interface OpenedPersonalData {
  /** The studio's own id of the player; `erased` once it is (rules/storage 15). */
  readonly accountId: string;
  /** The studio's own name of the purchase. */
  readonly referenceId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly email?: string;
  /** By the items of an order; absent where none has any. */
  readonly itemMetadata?: readonly Readonly<Record<string, string>>[];
  readonly ipAddress?: string;
}

/** A studio's names for a player and for the player's purchases. */
export type StudioNames = Pick<OpenedPersonalData, 'accountId' | 'referenceId'>;
