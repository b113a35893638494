import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAddresses } from '@/lib/admin/pages/list-addresses';
import { MAX_SITE_TEXT_LENGTH } from '@/lib/contract/words/site-page';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { findSitePage } from '@/lib/site-page/find-site-page';
import { pagesInFooter } from '@/lib/site-page/pages-in-footer';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { GET, PUT } from './[page]/route';

let session: string;
let adminId: string;
beforeAll(async () => {
  adminId = (await makeUser('admin')).userId;
  session = await sessionOf(adminId);
});
beforeEach(async () => {
  await db().siteText.deleteMany();
});
afterAll(async () => {
  await db().siteText.deleteMany();
  await Promise.all([closeRedis(), closeDb()]);
});

const put = (page: string, body: unknown) =>
  callWith(session, PUT, { method: 'PUT', params: { page }, body });
const written = async (page: string, locale: string, text: string, version = 0) => {
  const answer = await put(page, { locale, text, version });
  expect(answer.status).toBe(200);
  return answer.json();
};
const read = async (page: string) => (await callWith(session, GET, { params: { page } })).json();

it('[O11] a page is written by language, linked once it is written, and no more once it is taken back', async () => {
  expect(await pagesInFooter()).toEqual([]);
  expect((await read('terms')).texts).toContainEqual({ locale: 'ru', text: '', version: 0, changedAt: null });
  const first = await written('terms', 'zh-CN', '一\n\n二');
  expect(first).toMatchObject({ locale: 'zh-CN', version: 1, changedAt: expect.any(Number) });
  await written('contact', 'ru', 'Пишите нам.');
  expect(await pagesInFooter()).toEqual(['terms', 'contact']);
  expect((await listAddresses()).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/info/terms', '/info/contact']),
  );
  await written('terms', 'zh-CN', '', 1);
  expect(await pagesInFooter()).toEqual(['contact']);
  expect(await findSitePage('terms', 'zh-CN')).toBeNull();
  // The version goes on, so that an editor who saw the old text can't bring it back.
  expect((await written('terms', 'zh-CN', '三', 2)).version).toBe(3);
});

it('[O11] a language without a text shows the default one, then any other', async () => {
  await written('privacy', 'ru', 'по-русски');
  expect(await findSitePage('privacy', 'zh-TW')).toEqual({ locale: 'ru', text: 'по-русски' });
  await written('privacy', 'en', 'in English');
  expect(await findSitePage('privacy', 'zh-TW')).toEqual({ locale: 'en', text: 'in English' });
  expect(await findSitePage('privacy', 'ru')).toEqual({ locale: 'ru', text: 'по-русски' });
});

it('[O11] of two who edit the same version one is refused; the same text again changes nothing', async () => {
  await written('terms', 'en', 'one');
  const answers = await Promise.all(
    ['two', 'three'].map((text) => put('terms', { locale: 'en', text, version: 1 })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({ code: 'VERSION_CONFLICT', version: 2 });
  const [now] = (await read('terms')).texts as { text: string; version: number }[];
  expect(await written('terms', 'en', now?.text ?? '', 1)).toEqual(now);
});

it('[O11] refuses what is no plain text, too long, or of no page and no language of ours', async () => {
  const most = 'я'.repeat(MAX_SITE_TEXT_LENGTH);
  for (const text of [`${most}я`, 'a\u0007b', 'a\u0000b', '\u009b31m', 7, null, undefined])
    expect((await put('terms', { locale: 'en', text, version: 0 })).status, String(text).slice(0, 9)).toBe(
      422,
    );
  for (const more of [{ locale: 'de' }, { version: -1 }, { version: 0.5 }, { page: 'terms' }])
    expect((await put('terms', { locale: 'en', text: 'a', version: 0, ...more })).status).toBe(422);
  for (const page of ['imprint', '', 'Terms', '%00', '__proto__'])
    expect((await put(page, { locale: 'en', text: 'a', version: 0 })).status).toBe(404);
  expect(await db().siteText.count()).toBe(0);
  expect((await written('terms', 'en', `${most.slice(0, -6)}\r\n\t<b>`)).version).toBe(1);
});

it('[O11 N9] each change is in the audit log, by whom and which text, without the text', async () => {
  await written('contact', 'en', 'call us at noon');
  const [entry] = await db().auditEntry.findMany({
    where: { actorId: adminId, subjectId: 'contact/en' },
    orderBy: { id: 'desc' },
    take: 1,
  });
  expect(entry).toMatchObject({ action: 'page.write', before: null, after: { characters: 15 } });
  expect(JSON.stringify(entry?.after)).toMatch(/"[0-9a-f]{64}"/);
  expect(JSON.stringify(entry?.after)).not.toContain('noon');
});
