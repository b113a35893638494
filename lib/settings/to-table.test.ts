import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SETTINGS, TOPICS } from './schema';
import { tell, toldOf } from './tell';
import { toTable } from './to-table';

it('[O12] docs/SETTINGS.md says what the schema says: `npx vitest run -u lib/settings` writes it anew', async () => {
  await expect(toTable()).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/SETTINGS.md'));
});

it('[O12] every setting has one topic', () => {
  expect(Object.values(TOPICS).flatMap(Object.keys).toSorted()).toEqual([...SETTINGS].toSorted());
});

it('[O12] a setting that may be unset says what holds then', () => {
  for (const [name, kind] of Object.values(TOPICS).flatMap((topic) => Object.entries<z.ZodType>(topic)))
    if (kind._zod.def.type === 'optional') expect(toldOf(name, kind).unset, name).toBeTruthy();
});

it('[O12] a setting that nobody tells of is named', () => {
  expect(() => toldOf('NEW_ONE', z.string())).toThrow('say of NEW_ONE what it is for');
  expect(toldOf('NEW_ONE', tell(z.string(), { says: 'Is new.', usedBy: [] })).says).toBe('Is new.');
});
