import type { Instant, Position } from '#domain/event';
import type { IndexName } from './index-entry.js';

/** The parts of a name, from the general to the particular; a player's has no need to name the player. */
export type DocumentKey = readonly string[];

/** A folded stream: where it stands is its ETag. */
export interface Document<State> {
  readonly state: State;
  /** The stream's revision, of the last event folded; where streams meet, how many were folded, less one. */
  readonly revision: number;
  /** The last event's place in the store; kept where streams meet, whose events it orders. */
  readonly position?: Position;
}

export interface DocumentPageOptions {
  /** The most documents of the page. */
  readonly limit: number;
  /** The `nextAfter` of the page before; without it, the first page. */
  readonly after?: string | undefined;
  /**
   * Whether the reader remembers the page, for lists that are asked for again and again: where nothing was
   * written in the partition since, it need not be read and made again, and is the same object as before.
   */
  readonly isRemembered?: boolean | undefined;
}

export interface DocumentPage<State> {
  /** Newest first: by creation, then id. */
  readonly documents: readonly Document<State>[];
  /**
   * The document after which the next page goes on; undefined on the last. It names the last document of this page and
   * no offset, so that new documents neither repeat nor hide anything.
   */
  readonly nextAfter: string | undefined;
}

/** The place of a list: in the partition of an id, in that of a player, or in all of them. */
export type Whereabouts = { readonly id: string } | { readonly player: string } | 'everywhere';

export interface ScoredMember {
  readonly member: string;
  readonly at: Instant;
}

export interface TimeRange {
  /** In this partition alone; in all, where none is named. */
  readonly partition?: number | undefined;
  /** From the beginning, unless given. Both ends belong to the range. */
  readonly from?: Instant | undefined;
  readonly until: Instant;
  readonly limit: number;
  /** How many to leave out, counted from the earliest: with it, a reader pages. */
  readonly offset?: number | undefined;
}

/**
 * The reads of a projection's queries. Every call is bounded in time and throws Fault `unavailable` (retryable) when
 * Redis is out of reach, and while the read model is being built.
 */
export interface DocumentReads<State> {
  /** The document of a stream. */
  find(id: string): Promise<Document<State> | undefined>;
  /** The document under a key, merged from all partitions; undefined where there is none. */
  findByKey(key: DocumentKey): Promise<State | undefined>;
  /** The document of a player. */
  findForPlayer(player: string, key: DocumentKey): Promise<Document<State> | undefined>;
  /** A page of a list that is ordered by creation, or of several, none of which shares a document. */
  page(
    indexes: readonly IndexName[],
    where: Whereabouts,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<State>>;
  /** Members of a list that is ordered by time, the earliest first. */
  range(index: IndexName, range: TimeRange): Promise<ScoredMember[]>;
}
