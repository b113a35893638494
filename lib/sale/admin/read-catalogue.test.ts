import { describe, expect, it } from 'vitest';
import { MAX_CATALOGUE_LINES } from '@/lib/contract/words/catalogue';
import { readCatalogue } from './read-catalogue';

const HEAD =
  'slug,name,description,delivery,weight_grams,tax_percent,sale,price,list_price,currency,stock,limit,starts_at,ends_at';
const LINE =
  'lamp,Lamp,A lamp,parcel,1200,5.5,Lamps at ten,19.90,25,EUR,100,2,2030-01-31T10:00:00+01:00,2030-01-31T11:00:00+01:00';

/** Reads lines under the usual head, and tells the errors as `line column problem`. */
const errorsOf = (...lines: string[]) => {
  const read = readCatalogue([HEAD, ...lines].join('\n'));
  return read.status === 'read'
    ? read.errors.map(({ line, column, problem }) => `${line} ${column} ${problem}`)
    : read;
};
/** The usual line with one cell in another way. */
const but = (column: string, cell: string) => {
  const cells = LINE.split(',');
  cells[HEAD.split(',').indexOf(column)] = cell;
  return cells.join(',');
};

describe('[O1] a file of products and sales', () => {
  it('is read with commas and with semicolons, with the mark of UTF-8 and without, columns in any order', () => {
    const expected = {
      status: 'read',
      errors: [],
      lines: [
        {
          line: 2,
          product: {
            slug: 'lamp',
            name: 'Lamp',
            description: 'A lamp',
            delivery: { way: 'parcel' },
            weightGrams: 1200,
            taxRate: 550,
          },
          sale: {
            title: 'Lamps at ten',
            priceMinor: 1990,
            listPriceMinor: 2500,
            currency: 'EUR',
            totalStock: 100,
            limitPerUser: 2,
            startsAt: Date.UTC(2030, 0, 31, 9),
            endsAt: Date.UTC(2030, 0, 31, 10),
          },
        },
      ],
    };
    expect(readCatalogue(`${HEAD}\n${LINE}`)).toMatchObject(expected);
    expect(readCatalogue(`\uFEFF${HEAD}\r\n${LINE}\r\n`.replaceAll(',', ';'))).toMatchObject(expected);
    const turned = [HEAD, LINE].map((line) => line.split(',').reverse().join(','));
    expect(readCatalogue(turned.join('\r'))).toMatchObject(expected);
  });

  it('has texts by language, in columns with its code, and names such a column that is wrong', () => {
    const head =
      'slug,name,name_zh-CN,description_zh-cn,sale,sale_ZH-CN,sale_en,price,currency,stock,starts_at,ends_at';
    const line = (name: string, title: string) =>
      `lamp,Lamp,${name},,Lamps,${title},,19.90,EUR,1,2030-01-31T10:00:00Z,2030-01-31T11:00:00Z`;
    const read = readCatalogue([head, line('台灯', '十点台灯'), 'cup,Cup'].join('\n'));
    expect(read).toMatchObject({ status: 'read', errors: [] });
    const lines = read.status === 'read' ? read.lines : [];
    expect(lines.map(({ product }) => product.texts)).toEqual([{ 'zh-CN': { name: '台灯' } }, {}]);
    expect(lines.map(({ sale }) => sale?.titles)).toEqual([{ 'zh-CN': '十点台灯' }, undefined]);
    const long = 'x'.repeat(201);
    expect(readCatalogue([head, line(long, long)].join('\n'))).toMatchObject({
      errors: [
        { line: 2, column: 'name_zh-CN', problem: 'invalid' },
        { line: 2, column: 'sale_zh-CN', problem: 'invalid' },
      ],
    });
  });

  it('has products without a sale, and several sales of one product', () => {
    const read = readCatalogue(
      [HEAD, 'cup,Tasse ☕,,,,,,,,,,,,', LINE, but('sale', 'Lamps at noon')].join('\n'),
    );
    expect(read).toMatchObject({
      status: 'read',
      errors: [],
      lines: [
        { sale: null, product: { delivery: null, weightGrams: null, taxRate: null } },
        {},
        { sale: { title: 'Lamps at noon' } },
      ],
    });
  });

  it('reads amounts by the digits of their currency', () => {
    const read = readCatalogue(
      [HEAD, but('currency', 'JPY').replace('19.90', '1990').replace(',25,', ',,')].join('\n'),
    );
    expect(read).toMatchObject({ errors: [], lines: [{ sale: { priceMinor: 1990, listPriceMinor: null } }] });
    expect(errorsOf(but('currency', 'JPY'))).toEqual(['2 price invalid']);
  });

  it.each([
    ['slug', '', 'required'],
    ['slug', 'Not A Slug', 'invalid'],
    ['name', '', 'required'],
    ['name', 'n'.repeat(201), 'invalid'],
    ['delivery', 'drone', 'invalid'],
    ['weight_grams', '0', 'invalid'],
    ['weight_grams', '1.5 kg', 'invalid'],
    ['weight_grams', '1000001', 'invalid'],
    ['tax_percent', '100.01', 'invalid'],
    ['tax_percent', '-1', 'invalid'],
    ['tax_percent', '19 %', 'invalid'],
    ['sale', 't'.repeat(201), 'invalid'],
    ['price', '', 'required'],
    ['price', '-1', 'invalid'],
    ['price', '9007199254740993', 'invalid'],
    ['price', 'a lot', 'invalid'],
    ['list_price', '1', 'invalid'],
    ['currency', '', 'required'],
    ['currency', 'XXL', 'invalid'],
    ['stock', '', 'required'],
    ['stock', '1.5', 'invalid'],
    ['stock', '99999999999999999999', 'invalid'],
    ['limit', '0', 'invalid'],
    ['starts_at', '31.01.2030 10:00', 'invalid'],
    ['starts_at', '', 'required'],
    ['ends_at', '2030-01-31T09:00:00+01:00', 'invalid'],
  ])('names the cell where %s is "%s": %s', (column, cell, problem) => {
    expect(errorsOf('cup,Cup,,,,,,,,,,,,', but(column, cell))).toEqual([`3 ${column} ${problem}`]);
  });

  it('names every cell at fault, and a product that two lines describe differently', () => {
    expect(errorsOf(but('price', ''), but('stock', 'x').replace(',2,', ',-2,'))).toEqual([
      '2 price required',
      '3 stock invalid',
      '3 limit invalid',
    ]);
    expect(errorsOf(LINE, but('name', 'Lampe'))).toEqual(['3 slug otherwise']);
  });

  it('is refused as a whole where it is none', () => {
    expect(readCatalogue('')).toEqual({ status: 'no_columns', missing: ['slug', 'name'] });
    expect(readCatalogue('slug,name\n"a')).toEqual({ status: 'malformed', line: 2 });
    const lines = Array(MAX_CATALOGUE_LINES + 1).fill('lamp,Lamp');
    expect(readCatalogue(['slug,name', ...lines].join('\n'))).toEqual({ status: 'too_many' });
    expect(readCatalogue(['slug,name', ...lines.slice(1)].join('\n'))).toMatchObject({ status: 'read' });
  });
});
