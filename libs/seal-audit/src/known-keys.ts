import {
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  readSigningKey,
  SIGNATURE_TYPES,
  type VerifierKey,
} from '#seal';

/** The keys that an auditor takes for right. */
export class KnownKeys {
  readonly #keys: readonly VerifierKey[];

  /**
   * @param texts verifier keys of logs and cosigners.
   * @param signingKey the log's own key in PEM, which signs under any origin: a restore changes it.
   * @throws InvalidSeal
   */
  constructor(
    texts: readonly string[],
    private readonly signingKey?: string,
  ) {
    this.#keys = texts.map(parseVerifierKey);
  }

  /** The keys that may have signed a note. @throws InvalidSeal */
  ofNote(note: string): VerifierKey[] {
    const { origin } = parseCheckpoint(parseNote(note).text);
    const own = this.signingKey === undefined ? [] : [readSigningKey(origin, this.signingKey)];
    return [...own, ...this.#keys];
  }

  get cosigners(): VerifierKey[] {
    return this.#keys.filter(({ type }) => type === SIGNATURE_TYPES.cosignature);
  }
}
