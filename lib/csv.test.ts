import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, parseCsv } from '@/lib/csv';

const rowsOf = (text: string) => {
  const parsed = parseCsv(text);
  return parsed.status === 'parsed' ? parsed.rows : null;
};
const cellsOf = (text: string) => rowsOf(text)?.map(({ cells }) => cells);

describe('CSV', () => {
  it('[G8] comes back as it went out, whatever is in it', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[=+\-@＝＋－＠',;"\r\n\t ab]{0,8}$/),
      fc.stringMatching(/^(?:=")?[01]{15,20}"?$/),
    );
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
    expect(rowsOf('\uFEFFa,b\r\n\n"c\n""d""",e\rf,g')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['c\n"d"', 'e'] },
      { line: 5, cells: ['f', 'g'] },
    ]);
    expect(rowsOf('')).toEqual([]);
    expect(cellsOf('a,')).toEqual([['a', '']]);
  });

  it.each(['"a', 'a"b,c', '"a"b', 'x,"'])('[G8] refuses %s', (text) => {
    expect(parseCsv(text)).toEqual({ status: 'malformed', line: 1 });
    expect(parseCsv(`a,b\r\n\r\n${text}`)).toEqual({ status: 'malformed', line: 3 });
  });

  it('[G8] is read as Excel saves it where the comma separates decimals', () => {
    expect(cellsOf('\uFEFFkind;value;reason\r\nip;203.0.113.7;"from Excel; saved, twice"\r\n')).toEqual([
      ['kind', 'value', 'reason'],
      ['ip', '203.0.113.7', 'from Excel; saved, twice'],
    ]);
    expect(cellsOf('"a;b",c\r\nd;e,f')).toEqual([
      ['a;b', 'c'],
      ['d;e', 'f'],
    ]);
  });

  it.each(['1234567890123456789', '1234567890123456', '007'])(
    '[L3] %s stays text in a spreadsheet',
    (digits) => {
      expect(csvLine([digits, 'x'])).toBe(`"=""${digits}""",x\r\n`);
      expect(cellsOf(csvLine([digits, 'x']))).toEqual([[digits, 'x']]);
    },
  );

  it.each(['123456789012345', '0', '19.90'])('[L3] %s stays a number', (digits) => {
    expect(csvLine([digits])).toBe(`${digits}\r\n`);
  });

  it('[G8] of a megabyte is read in no time, also if it is nothing but quotes', () => {
    expect(rowsOf(`${'"'.repeat(1_000_001)}`)).toBeNull();
    expect(rowsOf(`"${'""'.repeat(500_000)}"`)).toHaveLength(1);
    expect(rowsOf('a,b\n'.repeat(250_000))).toHaveLength(250_000);
  });
});
