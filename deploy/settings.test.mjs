import { describe, expect, it } from 'vitest';
import { executorEnv, parseEnv } from '@/lib/env';
import { TOPICS } from '@/lib/settings/schema';
import { toldOf } from '@/lib/settings/tell';
import { newSecrets } from '../scripts/infra/secrets.mjs';

const settings = Object.values(TOPICS).flatMap((topic) => Object.entries(topic));
const shop = {
  ...newSecrets(),
  DATABASE_URL: 'postgres://a:b@c/d',
  REDIS_URL: 'redis://a',
  ALLOW_SANDBOX_PAYMENTS: '1',
  SECKILL_DEMO: '0',
};

function isNeeded(check, name) {
  try {
    check({ ...shop, [name]: undefined });
    return false;
  } catch {
    return true;
  }
}

describe('what is told of settings', () => {
  it.each(settings)(
    '[K6 O12] %s is called needed exactly where a role does not start without it',
    (name, kind) => {
      const { usedBy, says, unset } = toldOf(name, kind);
      const isCalledNeeded =
        (unset === undefined && kind._zod.def.type !== 'default') ||
        says.includes('**Needed outside the demo.**');
      for (const role of ['web', 'worker'])
        expect([role, isCalledNeeded && usedBy.includes(role)]).toEqual([role, isNeeded(parseEnv, name)]);
      expect(isCalledNeeded && usedBy.includes('executor')).toBe(isNeeded(executorEnv, name));
    },
  );
});
