/** Proves that a tree begins with all leaves of an earlier one (rules/http 13). */
export class ConsistencyDto {
  /** The size of the earlier tree. */
  from!: number;
  to!: number;
  /** The proof of RFC 6962 (2.1.2): each hash in base64, in its order; none where both are the same tree. */
  hashes!: string[];
}
