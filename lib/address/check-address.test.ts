import { describe, expect, it } from 'vitest';
import { type Address, address } from '@/lib/contract/shapes/address';
import { checkAddress } from './check-address';
import { COUNTRIES, rulesOf } from './rules-of';

const inBerlin = {
  name: 'Ada',
  lines: ['Unter den Linden 1'],
  city: 'Berlin',
  postalCode: '10117',
  country: 'DE',
};
const parsed = (changes: object): Address => address.parse({ ...inBerlin, ...changes });
const wrong = (changes: object) => {
  const checked = checkAddress(parsed(changes));
  return checked.ok ? [] : checked.fields.map(({ path }) => path.replace('address.', ''));
};

describe('[O5] the shape of an address', () => {
  it.each([
    ['a letter of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['no line', { lines: [] }],
    ['four lines', { lines: ['1', '2', '3', '4'] }],
    ['an empty line', { lines: [' '] }],
    ['a line break', { name: 'Ada\nLovelace' }],
    ['a bell', { city: 'Ber\u0007lin' }],
    ['text that runs backwards', { name: 'Ada \u202eecalevoL' }],
    ['half a character', { name: '\ud83d' }],
    ['a name for a country', { country: 'Germany' }],
    ['letters as a phone', { phone: 'call me' }],
    ['no letter at all', { name: '!!!' }],
    ['a line without one', { lines: ['Hof 1', '---'] }],
    ['a field that is none', { colour: 'red' }],
  ])('refuses %s', (_what, changes) => {
    expect(address.safeParse({ ...inBerlin, ...changes }).success).toBe(false);
  });

  it('takes any script, with the joiners that some need', () => {
    for (const name of ['王小明', 'Анна Каренина', 'علی\u200cرضا', 'श्री राम', "O'Neill-Ó Súilleabháin"])
      expect(parsed({ name }).name).toBe(name);
    // One form for what looks the same, and nothing around it.
    expect(parsed({ name: '  Jose\u0301 ' }).name).toBe('Jos\u00e9');
  });
});

describe('[O5] the rules of a country', () => {
  it('take what its post takes, and name each field that is wrong', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ postalCode: '1011' })).toEqual(['postalCode']);
    expect(wrong({ city: '', postalCode: '' })).toEqual(['postalCode', 'city']);
    expect(wrong({ country: 'GB', postalCode: 'sw1a 1aa' })).toEqual([]);
    expect(wrong({ country: 'US', postalCode: '95014-1234' })).toEqual(['region']);
    expect(wrong({ country: 'US', postalCode: '95014', region: 'CA' })).toEqual([]);
    expect(wrong({ country: 'CN', postalCode: '100096', region: '北京市' })).toEqual([]);
    expect(wrong({ country: 'XX' })).toEqual(['country']);
  });

  it('leave out what a country does not use', () => {
    const checked = checkAddress(parsed({ country: 'HK', region: 'Kowloon', postalCode: 'XYZ' }));
    expect(checked).toMatchObject({ ok: true, address: { region: 'Kowloon', postalCode: '' } });
  });

  it('can be read for every country, and take its own example', () => {
    expect(COUNTRIES.length).toBeGreaterThan(240);
    for (const country of COUNTRIES)
      for (const { pattern, example } of rulesOf(country) ?? [])
        if (pattern && example) expect(example, country).toMatch(new RegExp(`^(?:${pattern})$`));
    for (const none of ['', 'ZZ', 'xx', '__proto__', 'constructor']) expect(rulesOf(none), none).toBeNull();
  });
});
