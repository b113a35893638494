import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/** The code that serves strangers: not the developers' commands, not tests. */
const FOLDERS = ['app', 'components', 'i18n', 'inngest', 'lib'];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)testing\//.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** Returns the files that match a pattern, each once. */
const filesWith = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ file }) => file);

describe('code that serves strangers', () => {
  it('[N8] is all looked at', () => {
    expect(sources.length).toBeGreaterThan(800);
  });

  it('[N8] makes no code of text, and writes no text as markup', () => {
    expect(filesWith(/\beval\(|new Function\(|setTimeout\(\s*['"`]|node:vm\b/)).toEqual([]);
    expect(
      filesWith(/dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/),
    ).toEqual([]);
  });

  it('[N8] hands Postgres values apart from statements', () => {
    // Cursor statements contain a name and a size, both constants of their file.
    const unsafe = sources.flatMap(
      ({ text }) => text.match(/(?:query|execute)RawUnsafe\b[^`]*`[^`]*`/g) ?? [],
    );
    expect(unsafe.length).toBeGreaterThan(0);
    for (const call of unsafe) expect(call).toMatch(/`FETCH \$\{PAGE\} FROM [a-z_]+`$/);
    const all = sources.flatMap(({ text }) => text.match(/RawUnsafe\b/g) ?? []);
    expect(all).toHaveLength(unsafe.length);
    expect(filesWith(/Prisma\.raw\(/)).toEqual([]);
  });

  it('[N8] keeps in the browser nothing but an attempt to buy, a choice before it, a random number for a line and the difference of clocks', () => {
    expect(
      filesWith(/\b(?:local|session)Storage\.\w+Item\(|\bindexedDB\b|\bcaches\.open|document\.cookie/).sort(),
    ).toEqual([
      'components/attempt/attempt-store.ts',
      // Tests whether the browser keeps cookies, with one that lasts five seconds and holds nothing.
      'components/auth/use-keeps-cookies.ts',
      'components/clock/clock-store.ts',
      'components/line/own-nonce.ts',
      'components/sale/kept-choice.ts',
    ]);
  });

  it('[E9] claims no rows by `IN (SELECT … LIMIT … FOR UPDATE)`: a plan may ask that for each row anew, and claim more', () => {
    expect(filesWith(/\bIN \(\s*SELECT[^`;]*?LIMIT[^`;)]*FOR UPDATE/)).toEqual([]);
  });

  it('[N8] starts no program but our own Next, and Node to decode a picture', () => {
    expect(filesWith(/node:child_process|node:cluster/).sort()).toEqual([
      'lib/media/shrink-picture.ts',
      'lib/server/launch-next.ts',
      'lib/server/run-cluster.ts',
    ]);
  });

  it('[N8] makes regular expressions of its own words alone', () => {
    expect(filesWith(/\bRegExp\(/)).toEqual([
      // Built from the countries' patterns of postal codes.
      'components/address/address-values.ts',
      'components/auth/callback-path.ts',
      'lib/address/check-address.ts',
      // Built from the languages of the shop.
      'lib/cdn/tags.ts',
      // Built from the paths of the contract.
      'lib/server/direct-routes.ts',
    ]);
  });

  it('[N8] asks only addresses of settings, and follows none of them elsewhere', () => {
    const asking = sources.filter(
      ({ file, text }) => !file.startsWith('components/') && /(?<![\w.])fetch\(/.test(text),
    );
    expect(new Set(asking.map(({ file }) => file))).toEqual(
      new Set([
        'inngest/client.ts',
        'inngest/executor/sync-app.ts',
        'lib/pages/prewarm-pages.ts',
        'lib/pages/revalidate-pages.ts',
        'lib/beacon/ask-beacon.ts',
        'lib/cdn/send-purge.ts',
        'lib/health/check-readiness.ts',
        'lib/outbox/post-webhook.ts',
        'lib/preflight/check-shop.ts',
        'lib/payment/providers/sandbox/call-back.ts',
        'lib/trace/export-spans.ts',
      ]),
    );
    for (const { file, text } of asking) {
      const calls = text.match(/(?<![\w.])fetch\(/g) ?? [];
      const kept = text.match(/redirect: '(?:error|manual)'/g) ?? [];
      expect([file, kept.length]).toEqual([file, calls.length]);
    }
  });

  it('[N8] hashes by SHA-256; Redis alone names its scripts by SHA-1', () => {
    const used = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/create(?:Hash|Hmac)\(\s*'(\w+)'/g)].map(
        ([, name]) => `${name} ${name === 'sha256' ? '' : file}`,
      ),
    );
    expect(used.length).toBeGreaterThan(20);
    expect([...new Set(used)].sort()).toEqual(['sha1 lib/redis/run-script.ts', 'sha256 ']);
    expect(filesWith(/createCipher|createDecipher|node:crypto'\)\.constants|RSA_PKCS1/)).toEqual([
      // AES-256-GCM.
      'lib/purpose-seal.ts',
    ]);
  });
});
