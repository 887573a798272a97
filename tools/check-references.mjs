/**
 * References that lead nowhere. Code and documents refer to the repository's own texts only: rules
 * by file and number, decision records by their four digits, files by their paths. A folder can be
 * named as the argument; without one it is this repository.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const TEXT_FILE = /\.(ts|tsx|mjs|js|css|lua|md|yml)$/;
/** White space, also across the lines of one comment; an entry of a numbered list begins anew. */
const GAP = String.raw`(?:[ \t]+|\s*\n\s*(?:\*|//|#)\s*|\n(?!\d+\. ))`;
const NUMBERS = String.raw`\d+(?:(?:,|${GAP}(?:and|or|to))${GAP}\d+)*`;

const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\0')
  .filter((file) => TEXT_FILE.test(file) && existsSync(path.join(root, file)));
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const sections = new Map(
  files.filter(isIn('docs/rules')).map((file) => [baseName(file), numbered(file)]),
);
const isRecord = isIn('docs/decisions');
const records = new Set(files.filter(isRecord).map((file) => baseName(file).slice(0, 4)));

const findings = files.flatMap((file) => [
  ...outsideReferences(file),
  ...ruleReferences(file),
  ...recordReferences(file),
  ...numberGivenTwice(file),
  ...(file.endsWith('.md') ? [...brokenLinks(file), ...missingFiles(file)] : []),
]);
for (const { file, index, message } of findings) {
  const line = texts.get(file).slice(0, index).split('\n').length;
  console.error(`${file}:${line}: ${message}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;

/** References by section to texts that are not in the repository. */
function outsideReferences(file) {
  const outside = [
    String.raw`\bdecisions?${GAP}\d{1,3}\b`,
    String.raw`\binterface${GAP}\d+(?:\.\d+)*\b`,
    String.raw`\barchitecture,${GAP}(?:rules?${GAP}\d+|")`,
    String.raw`\bprotocol${GAP}\d\.\d`,
  ];
  return matches(
    file,
    new RegExp(outside.join('|'), 'gi'),
    ([text]) =>
      `"${oneLine(text)}" is in no text of this repository. Write \`rules/<file> <number>\` for a ` +
      'section of docs/rules, or `decision <4 digits>` for a record.',
  );
}

/** A record is found by its number alone. */
function numberGivenTwice(file) {
  if (!isRecord(file)) return [];
  const number = baseName(file).slice(0, 4);
  const other = files.find(
    (each) => each !== file && isRecord(each) && baseName(each).startsWith(number),
  );
  return other === undefined
    ? []
    : [{ file, index: 0, message: `${other} has the number ${number}, too.` }];
}

/** Rules are named by file and number: the file is there and has a heading of that number. */
function ruleReferences(file) {
  const rule = new RegExp(
    String.raw`\brules/([a-z-]+)(?:\.md)?[\])]*(?:,?${GAP}(${NUMBERS}))?`,
    'g',
  );
  return matches(file, rule, ([, name, numbers = '']) => {
    const headings = sections.get(name);
    if (headings === undefined) return `There is no docs/rules/${name}.md.`;
    const missing = listed(numbers).filter((number) => !headings.has(number));
    if (missing.length > 0) return `docs/rules/${name}.md has no section ${missing.join(', ')}.`;
  });
}

/** Records are named by four digits, alone or in the name of their file. */
function recordReferences(file) {
  const record = new RegExp(String.raw`\bdecisions?${GAP}(\d{4})\b|\bdecisions/(\d{4})-`, 'gi');
  return matches(file, record, ([, number, inPath]) =>
    records.has(number ?? inPath)
      ? undefined
      : `There is no decision ${number ?? inPath} in docs/decisions.`,
  );
}

/** Relative links lead to files that are there, and to headings that they have. */
function brokenLinks(file) {
  return matches(file, /\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/g, ([, target, anchor]) => {
    const linked = target === '' ? file : path.join(path.dirname(file), target);
    if (!existsSync(path.join(root, linked)))
      return `The link leads to ${linked}, which is not there.`;
    const isMissing = anchor !== undefined && !anchors(texts.get(linked) ?? '').includes(anchor);
    return isMissing ? `${linked} has no heading #${anchor}.` : undefined;
  });
}

/**
 * Files and folders that a document names in backticks are there; `<...>` and `*` stand for any
 * name.
 */
function missingFiles(file) {
  const named = /`((?:apps|libs|projections|test|tools|docs)\/[\w./-]+)`/g;
  return matches(file, named, ([, name]) =>
    existsSync(path.join(root, name)) ? undefined : `${name} is not there.`,
  );
}

/** @param judge returns the error of a match; undefined for none. */
function matches(file, pattern, judge) {
  return [...texts.get(file).matchAll(pattern)].flatMap((match) => {
    const message = judge(match);
    return message === undefined ? [] : [{ file, index: match.index, message }];
  });
}

/** "1 to 3 and 5" names 1, 2, 3 and 5. */
function listed(numbers) {
  const words = numbers.match(/\d+|to/g) ?? [];
  return words.flatMap((word, at) => {
    if (word !== 'to') return [Number(word)];
    const [from, to] = [Number(words[at - 1]), Number(words[at + 1])];
    return Array.from({ length: Math.max(0, to - from - 1) }, (_, step) => from + step + 1);
  });
}

function numbered(file) {
  return new Set(
    [...texts.get(file).matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number)),
  );
}

/** The anchors that a renderer makes of headings. */
function anchors(markdown) {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function isIn(folder) {
  return (file) => path.dirname(file) === folder && file.endsWith('.md');
}

function baseName(file) {
  return path.basename(file, '.md');
}

function oneLine(text) {
  return text.replaceAll(/\s[\s*/#]*/g, ' ');
}
