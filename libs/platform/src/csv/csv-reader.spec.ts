import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { csvField } from './csv-field.js';
import { CsvReader, type CsvRecord, MAX_FIELD_LENGTH } from './csv-reader.js';

describe('the CSV reader', () => {
  it('reads fields, quotes, commas and line breaks within quotes', () => {
    expect(read(['a,b\n"x,y","say ""hi"""\n"two\nlines",\n'])).toEqual([
      { line: 1, fields: ['a', 'b'], malformed: null },
      { line: 2, fields: ['x,y', 'say "hi"'], malformed: null },
      { line: 3, fields: ['two\nlines', ''], malformed: null },
    ]);
  });

  it('takes a byte order mark, CRLF, and a last line without a line break', () => {
    expect(read(['', '\uFEFFa,"b"\r\nc,d'])).toEqual([
      { line: 1, fields: ['a', 'b'], malformed: null },
      { line: 2, fields: ['c', 'd'], malformed: null },
    ]);
  });

  it('counts the lines within quotes, so that later lines keep their numbers', () => {
    expect(read(['"1\n2\n3",x\ny,z\n']).map(({ line }) => line)).toEqual([1, 4]);
  });

  it('reads on at the next line after a malformed record', () => {
    const records = read(['"x"y,1\nq"q,2\n"multi\nline",3\n5,6\n"open,7\n8,9\n']);
    expect(records.map(({ line, malformed }) => [line, malformed])).toEqual([
      [1, 'text follows the closing quote of a field'],
      [2, 'a quote stands in a field that is not quoted'],
      [3, null],
      [5, null],
      [6, 'the quoted field is never closed'],
    ]);
  });

  it('keeps neither an endless field nor endless columns in memory', () => {
    const [long, wide, good] = read([
      `${'x'.repeat(MAX_FIELD_LENGTH + 1)},1\n`,
      `${','.repeat(5_000)}\n`,
      'a,b\n',
    ]);
    expect(long?.malformed).toContain('longer than');
    expect(wide?.fields.length).toBeLessThan(20);
    expect(good).toEqual({ line: 3, fields: ['a', 'b'], malformed: null });
  });

  it('gives back what was written, wherever the pieces are cut', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'ä', '"', ',', '\n', '\r', ' ', '💎') });
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), check),
    );

    function check(written: string[][], lineBreak: string, pieceLength: number): void {
      const text = written.map((row) => row.map(csvField).join(',') + lineBreak).join('');
      const records = read(pieces(text, pieceLength));
      expect(records.map(({ fields }) => fields)).toEqual(written);
      expect(records.every(({ malformed }) => malformed === null)).toBe(true);
    }
  });

  it('reads any text to its end, the same in one piece and in many', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\uFEFF') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (any, pieceLength) => {
        expect(read(pieces(any, pieceLength))).toEqual(read([any]));
      }),
    );
  });
});

function read(texts: string[]): CsvRecord[] {
  const records: CsvRecord[] = [];
  const reader = new CsvReader((record) => records.push(record));
  for (const text of texts) reader.write(text);
  reader.end();
  return records;
}

function pieces(text: string, length: number): string[] {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, at) => text.slice(at * length, (at + 1) * length));
}
