import type { SourceFile } from './sources.js';

/**
 * How a language writes comments. Each begins a line or follows a space, so that URLs and globs in texts are none;
 * lines of comments one below the other are one.
 */
const COMMENTS = [
  {
    files: /\.(?:tsx?|mjs|js)$/,
    comment: /(?<=^|[\s{(])\/\*\*?\s[\s\S]*?\*\/|(?:^[ \t]*|(?<=\s))\/\/ .*(?:\n[ \t]*\/\/.*)*/gm,
    marks: /^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/) ?|\s*\*\/$/gm,
  },
  {
    files: /\.lua$/,
    comment: /^--\[\[[\s\S]*?\]\]|^[ \t]*--.*(?:\n[ \t]*--.*)*/gm,
    marks: /^[ \t]*--(?:\[\[)? ?|\]\]$/gm,
  },
  {
    files: /\.sh$|^\.ci\/run$/,
    comment: /^[ \t]*#(?!!).*(?:\n[ \t]*#.*)*/gm,
    marks: /^[ \t]*# ?/gm,
  },
] as const;

/** Blank lines, tags, items of lists and the ends of sentences. */
const BETWEEN_SENTENCES =
  /\n\s*\n|\n(?=\s*(?:@|-|\d+\.) ?)|(?<=[.!?:][)"`]?)\s+(?=[A-Z@`"(])|(?<=@throws [\w ]+\.)\s/;

/** Code, quoted words and names of parameters are no prose. */
const QUOTED = /`[^`]*`|"[^"]*"|'[^' ]*'|\{@\w+[^}]*\}|@param [\w.]+/g;

/** Words behind which a clause stands in the place of a noun. */
const BEFORE_NOUN =
  'about|asks?|at|by|decides?|depends on|finds?|from|knows?|of|on|says?|sees?|shows?|tells?|than|to|with';

/**
 * Clauses in the place of a noun. "What" in a statement always begins one. "Who" does so at the beginning of a
 * sentence and behind such a word, and else belongs to its noun: "the player who". "Where" does so behind such a word,
 * and in a sentence that is nothing else; "Where there is none, ..." and "a player, where there is one" are an "if".
 */
const HEADLESS = [
  /\bwhat\b/i,
  new RegExp(`^\\W*(?:@\\w+ )?who\\b|(?<=\\b(?:${BEFORE_NOUN}|and|for|or),? )who\\b`, 'i'),
  new RegExp(
    `^\\W*(?:@\\w+ )?where\\b(?!.*(?:, (?!and|who|what)|: ))|(?<=\\b(?:${BEFORE_NOUN}) )where\\b`,
    'i',
  ),
];

/** The sentences of a file's comments, without the marks of comments. */
export function listSentences({ file, text }: SourceFile): string[] {
  const language = COMMENTS.find(({ files }) => files.test(file));
  if (language === undefined) return [];
  return [...text.matchAll(language.comment)].flatMap(([comment]) =>
    comment
      .replace(language.marks, '')
      .split(BETWEEN_SENTENCES)
      .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
      .filter(Boolean),
  );
}

/** Whether a clause headed by "what", "who" or "where" stands in the place of a noun; a question has none. */
export function isHeadless(sentence: string): boolean {
  const prose = sentence.replace(QUOTED, 'X');
  return !prose.endsWith('?') && HEADLESS.some((clause) => clause.test(prose));
}
