/**
 * What is the same on many pages is rendered once, with marks in the places where each page has texts of its own. No
 * text of a studio or a player can be taken for a mark: it is made at random in each process, and leaves none.
 */
import { randomUUID } from 'node:crypto';
import { assertDefect } from '#platform';

const SECRET = randomUUID();

/** What stands in the place of what each page has of its own. React leaves them as they are. */
export const MARKS = {
  /** The token of the session. */
  csrf: `csrf-${SECRET}`,
  /** The id of a form, another one each time. */
  formId: `formId-${SECRET}`,
  /** HTML that was rendered by itself. */
  parts: `parts-${SECRET}`,
} as const;

type MarkName = keyof typeof MARKS;

const ANY_MARK = new RegExp(`(csrf|formId|parts)-${SECRET}`);
/** Texts of ours, which are the same in HTML: of base64url, or a UUID. */
const PLAIN = /^[\w-]*$/;

/** HTML with marks. */
export class PageTemplate {
  /** HTML and names of marks in turn, beginning and ending with HTML. */
  readonly #pieces: readonly string[];

  constructor(html: string) {
    this.#pieces = html.split(ANY_MARK);
  }

  /** What it takes in memory, at most. */
  get bytes(): number {
    return this.#pieces.reduce((sum, piece) => sum + BYTES_A_PIECE + 2 * piece.length, 0);
  }

  /**
   * The HTML of one page.
   *
   * @param csrf the token of the session. @param parts HTML that is safe to be sent as it is.
   */
  fill(csrf: string, parts = ''): string {
    assertDefect(PLAIN.test(csrf), 'the token of a session is of base64url');
    const texts = { csrf, parts } as const;
    let html = this.#pieces[0] ?? '';
    for (let at = 1; at < this.#pieces.length; at += 2) {
      // Names and HTML take turns: `split` gives them so.
      const name = this.#pieces[at] as MarkName;
      html += (name === 'formId' ? randomUUID() : texts[name]) + (this.#pieces[at + 1] ?? '');
    }
    return html;
  }
}

/** Of an array's place and a string's head. */
const BYTES_A_PIECE = 32;
