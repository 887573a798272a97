/**
 * What is the same on many pages is rendered once, with marks in the places where each page has texts of its own. No
 * text of a studio or a player can be taken for a mark: it is made at random in each process, and leaves none. HTML is
 * kept as the bytes that are sent: a page is copied together, and nothing of it is encoded again.
 */
import { randomUUID } from 'node:crypto';
import { assertDefect } from '#platform';
import { FormIds } from './form-ids.js';

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
const NOTHING = Buffer.alloc(0);

/** A place in HTML where a text of its own is to stand. */
interface Gap {
  /** How many bytes of the HTML stand before it. */
  readonly at: number;
  readonly mark: MarkName;
}

/** HTML with marks. */
export class PageTemplate {
  /** What stands between the gaps, once it was asked for. */
  #pieces: readonly Buffer[] | undefined;

  private constructor(
    /** All but the marks. */
    private readonly html: Buffer,
    /** In their order. */
    private readonly gaps: readonly Gap[],
  ) {}

  /** @param html with marks in it, as React renders it. */
  static parse(html: string): PageTemplate {
    const gaps: Gap[] = [];
    const pieces: Buffer[] = [];
    let at = 0;
    html.split(ANY_MARK).forEach((text, index) => {
      const isMark = index % 2 === 1;
      // Names of marks and HTML take turns: `split` gives them so.
      if (isMark) gaps.push({ at, mark: text as MarkName });
      else at += pieces[pieces.push(Buffer.from(text)) - 1]?.length ?? 0;
    });
    return new PageTemplate(Buffer.concat(pieces), gaps);
  }

  /** What it takes in memory, at most. */
  get bytes(): number {
    return this.html.length + BYTES_A_GAP * (1 + this.gaps.length);
  }

  /** The same with other HTML in the place of its mark for parts. */
  around(parts: readonly PageTemplate[]): PageTemplate {
    const index = this.gaps.findIndex(({ mark }) => mark === 'parts');
    const { at = 0 } = this.gaps[index] ?? {};
    const gaps = this.gaps.slice(0, index);
    let end = at;
    for (const part of parts) {
      for (const gap of part.gaps) gaps.push({ at: end + gap.at, mark: gap.mark });
      end += part.html.length;
    }
    for (const gap of this.gaps.slice(index + 1)) {
      gaps.push({ at: end + gap.at - at, mark: gap.mark });
    }
    const inside = parts.map(({ html }) => html);
    const html = Buffer.concat([this.html.subarray(0, at), ...inside, this.html.subarray(at)]);
    return new PageTemplate(html, gaps);
  }

  /** The HTML of one page. @param csrf the token of the session. */
  fill(csrf: string): Buffer {
    assertDefect(PLAIN.test(csrf), 'the token of a session is of base64url');
    const [token, formIds] = [Buffer.from(csrf), new FormIds()];
    this.#pieces ??= this.#cut();
    const page = Buffer.allocUnsafe(this.#measure(token.length));
    let at = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      const mark = index === 0 ? undefined : this.gaps[index - 1]?.mark;
      const text = mark === 'csrf' ? token : mark === 'formId' ? formIds.next() : NOTHING;
      if (mark !== undefined) page.set(text, at);
      page.set(piece, at + text.length);
      at += text.length + piece.length;
    }
    return page;
  }

  #measure(tokenBytes: number): number {
    const lengths = { csrf: tokenBytes, formId: FormIds.bytes, parts: 0 };
    return this.gaps.reduce((sum, { mark }) => sum + lengths[mark], this.html.length);
  }

  #cut(): readonly Buffer[] {
    const ends = [...this.gaps.map(({ at }) => at), this.html.length];
    return ends.map((end, index) => this.html.subarray(ends[index - 1] ?? 0, end));
  }
}

/** Of its own object, and that of the piece before it. */
const BYTES_A_GAP = 200;
