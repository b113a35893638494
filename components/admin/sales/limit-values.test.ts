import { expect, it } from 'vitest';
import { checkLimits, toLimits, toLimitValues } from './limit-values';

const policy = { algorithm: 'token-bucket', limit: 20, windowSec: 10 } as const;

it('[G1] shows limits and makes the same ones of the fields', () => {
  for (const limits of [
    null,
    { user: policy },
    { ip: policy, interface: { ...policy, limit: 1_000_000, windowSec: 86_400 } },
  ]) {
    expect(checkLimits(toLimitValues(limits))).toEqual({});
    expect(toLimits(toLimitValues(limits))).toEqual(limits);
  }
});

it.each(['0', '-1', '1.5', '', 'five', '1e3', '1000001', '99999999'])(
  '[G1] refuses a limit of %j, unless it is off',
  (limit) => {
    const values = toLimitValues({ user: policy });
    expect(checkLimits({ ...values, user: { ...values.user, limit } })).toEqual({
      'user.limit': { max: 1_000_000 },
    });
    expect(checkLimits({ ...values, user: { ...values.user, limit, algorithm: '' } })).toEqual({});
  },
);

it('[G1] refuses a window longer than a day', () => {
  const values = toLimitValues({ ip: policy });
  expect(checkLimits({ ...values, ip: { ...values.ip, windowSec: '86401' } })).toEqual({
    'ip.windowSec': { max: 86_400 },
  });
});
