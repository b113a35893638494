import { expect, it } from 'vitest';
import { AREAS } from '@/lib/contract/areas';
import { orders, shop } from '@/lib/contract/operations';
import { refusalsOf } from '@/lib/contract/refusals-of';
import messages from '@/messages/en.json';
import { findClientFiles } from '@/test/support/client-files';
import { pickErrors } from './pick-errors';

const sentences: Record<string, string> = messages.Errors;
const picked = pickErrors(sentences, [shop, orders]);

it('[A1] a page that asks for sales and orders has a sentence for each of their errors', () => {
  const codes = [shop, orders].flatMap(({ operations }) => operations.flatMap(refusalsOf));
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code) => picked[code] !== sentences[code])).toEqual([]);
});

it('[A1] it carries those that no answer brings, and none for the admin area or accounts', () => {
  expect(Object.keys(picked)).toEqual(
    expect.arrayContaining(['UNKNOWN', 'NETWORK', 'UNREADABLE', 'BOUGHT_TOO_OFTEN', 'CAMPAIGN_LIMIT']),
  );
  for (const code of ['SALE_STATE', 'SLUG_TAKEN', 'PASSWORD_WRONG', 'ADDRESS_FIXED']) {
    expect(sentences).toHaveProperty(code);
    expect(picked).not.toHaveProperty(code);
  }
});

it('[A1] of all areas it takes every sentence', () => {
  expect(pickErrors(sentences, AREAS)).toEqual(sentences);
});

it('[A1] the page of a sale has a sentence for each error of every operation that its components call', async () => {
  const page = 'app/[locale]/sales/[slug]/page.tsx';
  const clientFiles = await findClientFiles([page]);
  // An address alone is a link: its answer is a file or a page of its own.
  const calls = /(?<!addressOf\()'((?:GET|POST|PUT|PATCH|DELETE) \/[^']*)'/g;
  const called = new Set(
    clientFiles(page).flatMap(({ code }) => [...code.matchAll(calls)].map(([, call]) => call)),
  );
  expect(called).toContain('POST /api/sales/{saleId}/purchase/{gate}');
  const operations = AREAS.flatMap((area) => area.operations).filter(({ method, path }) =>
    called.has(`${method} ${path}`),
  );
  expect(operations).toHaveLength(called.size);
  const codes = new Set<string>(operations.flatMap(refusalsOf));
  expect([...codes].filter((code) => picked[code] !== sentences[code])).toEqual([]);
});
