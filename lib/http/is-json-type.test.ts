import { expect, it } from 'vitest';
import { isJsonType } from './is-json-type';

it('[L4] knows JSON by its type alone, not by what stands behind it', () => {
  const json = [
    'application/json',
    'Application/JSON;charset=utf-8',
    ' application/problem+json ; x=y',
    'text/json',
  ];
  expect(json.filter((type) => !isJsonType(type))).toEqual([]);
  const other = [
    '',
    'json',
    'text/plain; x=json',
    'text/plain;application/json',
    'application/jsonx',
    'application/json5',
    'multipart/form-data; boundary=json',
    'application/x-www-form-urlencoded',
    'text/plain+json/json',
  ];
  expect(other.filter(isJsonType)).toEqual([]);
});
