/** The purpose of a page: one link, and one form of its page. */
export interface CardEntryRequest {
  /** A form that is sent twice leads to one page. */
  readonly key: string;
  readonly linkId: string;
  /** Of the link, or empty. */
  readonly language: string;
  /** The page to which the player comes back; the gateway adds `?session=`. */
  readonly returnUrl: string;
  /** The page to which the player comes back without a card. */
  readonly cancelUrl: string;
  /** Given back with the card: the details that the page of the link showed. */
  readonly details: Readonly<Record<string, string>>;
}

/** A payment method that the gateway vouches for: it was entered on its page, for this link. */
export interface EnteredCard {
  readonly paymentMethod: string;
  readonly details: Readonly<Record<string, string | undefined>>;
}

/** Cards are entered on the gateway's own page, and never on ours (rules/stripe 9). */
export interface CardEntry {
  /** Where those pages are: a form of ours may lead there. */
  readonly origin: string;
  /** @returns the address of the page. @throws Fault `unavailable`. */
  begin(entry: CardEntryRequest): Promise<string>;
  /**
   * The method that was entered in a session of a returning player; undefined where none was, or where it was not begun
   * for this link. @throws Fault `unavailable`.
   */
  find(session: string, linkId: string): Promise<EnteredCard | undefined>;
}
