import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, parseCsv } from './csv';

const cellsOf = (text: string) => parseCsv(text)?.map(({ cells }) => cells);

describe('CSV', () => {
  it('[G8] comes back as it went out, whatever is in it', () => {
    const cell = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@＝＋－＠',"\r\n\t ab]{0,8}$/));
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        // A cell that begins with an apostrophe and a formula sign looks like one we made safe.
        fc.pre(rows.flat().every((text) => !/^'[=+\-@＝＋－＠\t\r\n]/.test(text)));
        expect(cellsOf(rows.map(csvLine).join(''))).toEqual(rows);
      }),
    );
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\n=1',
    '＝1+1',
    '＠SUM(A1)',
    '=HYPERLINK("http://x","y")',
  ])('[G8] %s is nothing a spreadsheet computes', (formula) => {
    expect(csvLine([formula, 'x'])).toMatch(/^"?'/);
  });

  it('[G8] is read with any line break, byte order mark and empty lines, and knows its lines', () => {
    expect(parseCsv('\uFEFFa,b\r\n\n"c\n""d""",e\rf,g')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['c\n"d"', 'e'] },
      { line: 5, cells: ['f', 'g'] },
    ]);
    expect(parseCsv('')).toEqual([]);
    expect(cellsOf('a,')).toEqual([['a', '']]);
  });

  it.each(['"a', 'a"b,c', '"a"b', 'x,"'])('[G8] refuses %s', (text) => {
    expect(parseCsv(text)).toBeNull();
  });

  it('[G8] of a megabyte is read in no time, also if it is nothing but quotes', () => {
    expect(parseCsv(`${'"'.repeat(1_000_001)}`)).toBeNull();
    expect(parseCsv(`"${'""'.repeat(500_000)}"`)).toHaveLength(1);
    expect(parseCsv('a,b\n'.repeat(250_000))).toHaveLength(250_000);
  });
});
