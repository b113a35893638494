import { expect, it } from 'vitest';
import { ApiProblem } from '@/components/api/api-problem';
import { checkValues, fromValues, guessCountry, refusedValues, toValues } from './address-values';

const PARTS = [
  { name: 'postalCode' as const, isRequired: true, pattern: '\\d{5}', example: '10117' },
  { name: 'city' as const, isRequired: true, pattern: null, example: null },
];
const filled = { ...toValues(null), name: 'Ada', line1: 'Hof 1', city: 'Berlin', postalCode: '10117' };

it('[O5] the form of an address says what is missing or wrong before anything is sent', () => {
  expect(checkValues(filled, PARTS)).toEqual({});
  expect(Object.keys(checkValues(toValues(null), PARTS))).toEqual(['name', 'line1', 'postalCode', 'city']);
  expect(checkValues({ ...filled, postalCode: '1011' }, PARTS)).toEqual({ postalCode: 'codeWrong' });
  expect(checkValues({ ...filled, phone: 'call me' }, PARTS)).toEqual({ phone: 'phoneWrong' });
});

it('[O5] what the form was filled with comes out again', () => {
  const address = fromValues({ ...filled, line2: 'Back', phone: ' +49 30 1 ' }, 'DE');
  expect(address).toEqual({
    name: 'Ada',
    lines: ['Hof 1', 'Back'],
    city: 'Berlin',
    region: '',
    postalCode: '10117',
    country: 'DE',
    phone: '+49 30 1',
  });
  expect(fromValues(toValues(address), 'DE')).toEqual(address);
});

it('[O5] the country is guessed from the languages of the browser', () => {
  expect(guessCountry(['en', 'de-AT'])).toBe('AT');
  expect(guessCountry(['ru'])).toBe('RU');
  expect(guessCountry(['zh-Hant-TW'])).toBe('TW');
  expect(guessCountry([])).toBe('US');
  expect(guessCountry(['en-GB@posix', 'de'])).toBe('GB');
  expect(guessCountry(['es-419'])).toBe('US');
  expect(guessCountry(['es-419', 'es-MX'])).toBe('MX');
  expect(guessCountry(['C', '', '???'])).toBe('US');
});

it('[O5] what the server refuses is shown at its field', () => {
  const fields = ['address.postalCode', 'address.lines.0', 'address.lines.1'].map((path) => ({
    path,
    message: 'no',
  }));
  expect(refusedValues(new ApiProblem({ status: 422, code: 'VALIDATION', fields }))).toEqual({
    postalCode: 'wrong',
    line1: 'wrong',
    line2: 'wrong',
  });
  expect(refusedValues(new Error('away'))).toEqual({});
});
