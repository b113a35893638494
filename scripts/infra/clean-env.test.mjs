import { expect, it } from 'vitest';
import { SETTINGS } from '@/lib/settings/schema';
import { cleanEnv, isSetting } from './clean-env.mjs';

it('[L1] knows every setting, so that no test sees a value of the shell it was started from', () => {
  expect(SETTINGS.filter((name) => !isSetting(name))).toEqual(['NODE_ENV']);
  const shell = Object.fromEntries([...SETTINGS, 'NODE_OPTIONS'].map((name) => [name, 'theirs']));
  expect(cleanEnv({ ...shell, PATH: '/bin', INNGEST_BIN: '/bin/inngest' }, { PORT: '3000' })).toEqual({
    PATH: '/bin',
    INNGEST_BIN: '/bin/inngest',
    PORT: '3000',
  });
});
