/** Rows as they come from memory or from a file. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** A piece of a text that is written: a call to the system for each line would take longer than the lines. */
const PIECE_LENGTH = 64 * 1024;

/** The same text in fewer pieces, so that no reader holds more than one of them. */
export async function* gatherPieces(texts: Rows<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
