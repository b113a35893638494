import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findClientFiles } from '../test/support/client-files';
import { EVERYWHERE } from './pick-messages';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'app', '[locale]');
const parts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:page|layout|error|not-found)\.tsx$/.test(file))
  .map((file) => relative(root, join(folder, file)));
/** The admin area's pages carry all messages. */
const picking = parts.filter((file) => !file.includes('/admin/'));

let clientFiles: Awaited<ReturnType<typeof findClientFiles>>;

beforeAll(async () => {
  clientFiles = await findClientFiles(parts);
});

/** Returns the namespaces that the client components behind a file use. */
function usedBy(file: string): string[] {
  const used = new Set<string>();
  for (const { path, code } of clientFiles(file)) {
    for (const [call, said = ''] of code.matchAll(/useTranslations\(\s*(.*?)\s*\)/g)) {
      expect(said, `${path} should name its messages: ${call}`).toMatch(/^'\w+(?:\.\w+)*'$/);
      used.add(said.slice(1, -1).split('.')[0] ?? '');
    }
  }
  return [...used].sort();
}

it.each(picking)('[A1] %s carries the messages its components use in the browser, and no others', (file) => {
  // Around everything: a component beside it would have none.
  const around =
    /<Page\b[^>]*>\s*<PageMessages\s+of=\{(\[[^}]*)\}\s*(?:also=\{([^}]*)\}\s*errorsOf=\{[^}]*\}\s*)?>/;
  const given =
    around
      .exec(readFileSync(join(root, file), 'utf8'))
      ?.slice(1)
      .join() ?? '';
  const everywhere: readonly string[] = EVERYWHERE;
  const picked = [...given.matchAll(/'(\w+)'/g)].map(([, namespace]) => namespace);
  expect(picked.sort()).toEqual(usedBy(file).filter((namespace) => !everywhere.includes(namespace)));
});
