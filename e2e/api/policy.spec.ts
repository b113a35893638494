// Also: without-fast-path, without-plain-http
import { request } from 'node:http';
import { expect, test } from '@playwright/test';
import { baseUrl } from '../support/base-url';
import { Client } from '../support/client';
import { lackOf } from '../support/policy';
import { newSale } from '../support/sales';

const anybody = new Client();

/** Sends an address as written: a usual client would normalise it first. */
const askAsWritten = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const sent = request({ hostname, port, path, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.once('error', reject).end();
  });
/** Queries that people, scanners and Next's own parts put into addresses. */
const QUERIES = [
  '',
  '?',
  '?a=1',
  '?_rsc=x',
  '?a=%3Cscript%3E',
  `?${'x'.repeat(1_000)}`,
  '?%00',
  '?a=%ff',
  '?a;b',
];
const HEADERS: Record<string, string>[] = [
  {},
  { 'accept-encoding': 'br' },
  { range: 'bytes=0-10' },
  { 'next-action': 'x' },
  { 'next-router-state-tree': 'x' },
  { 'x-middleware-subrequest': 'middleware' },
  { 'x-nextjs-data': '1' },
  { 'content-security-policy': "script-src 'nonce-x'" },
  { cookie: '__prerender_bypass=x' },
];

test('[N8] every page has the whole policy: kept or not, found or not, whatever is asked along', async () => {
  const { slug } = await newSale();
  const pages = [
    '/',
    '/zh-CN',
    `/sales/${slug}`,
    '/orders/1',
    '/zh-CN/pay/sandbox/x',
    '/admin/sales/x',
    '/docs/api',
    '/signin',
    '/nowhere',
    '/zh-CN/nowhere',
    '/sales/nowhere',
    '/a.php',
    '/products/x.svg',
    '/orders/%00',
  ];
  const wrong: string[] = [];
  const look = async (target: string, headers: Record<string, string> = {}) => {
    let answer = await anybody.get(target, { headers });
    // A busy machine answers 503 for a page that takes too long to make; the test then asks again.
    const ask = async () => {
      if (answer.status === 503) answer = await anybody.get(target, { headers });
      return answer.status;
    };
    await expect.poll(ask, { timeout: 150_000 }).not.toBe(503);
    const lacks = lackOf(answer.headers.get('content-security-policy'));
    if (answer.headers.get('content-type')?.toLowerCase() !== 'text/html; charset=utf-8')
      lacks.push(`a page (${answer.status})`);
    if (lacks.length > 0) wrong.push(`${target} with ${Object.keys(headers)} lacks ${lacks}`);
  };
  for (const page of pages) {
    await Promise.all([
      ...QUERIES.map((query) => look(page + query)),
      ...HEADERS.map((headers) => look(page, headers)),
    ]);
  }
  expect(wrong).toEqual([]);
});

test('[N8] nothing that is no page may run, show or frame anything', async () => {
  for (const path of [
    '/api/sales',
    '/api/nothing',
    '/livez',
    '/icon.svg',
    '/api/openapi.json',
    '/en/orders',
  ]) {
    const { headers } = await anybody.get(path, { headers: { origin: 'https://evil.example' } });
    expect(headers.get('content-security-policy'), path).toMatch(
      /^default-src 'none'; frame-ancestors 'none'/,
    );
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('x-frame-options'), path).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
    expect(headers.get('referrer-policy'), path).toBe('strict-origin-when-cross-origin');
    expect(headers.get('access-control-allow-origin'), path).toBeNull();
  }
});

test('[N8] no file is served but those that are meant to be, and no folder is listed', async () => {
  const files = [
    '.git/config',
    '.git/HEAD',
    '.env',
    '.data/secrets.json',
    'package.json',
    'lib/env.ts',
    'prisma.config.ts',
  ];
  const folders = ['products', '_next', '_next/static', '_next/static/chunks', 'api'];
  const ways = (file: string) => [
    `/${file}`,
    `//${file}`,
    `/products/../${file}`,
    `/products/..%2f${file}`,
    `/products/%2e%2e/${file}`,
    `/_next/static/../../${file}`,
    `/_next/static/..%2f..%2f${file}`,
    `/_next/static/chunks/..%5c..%5c${file}`,
    `/zh-CN/../../${file}`,
    `/en/${file}`,
    `/products/x.svg/../../../${file}`,
  ];
  for (const path of files.flatMap(ways)) {
    let { status, text } = await askAsWritten(path);
    // A busy machine answers 503; the test then asks again.
    const ask = async () => {
      if (status === 503) ({ status, text } = await askAsWritten(path));
      return status;
    };
    await expect.poll(ask).not.toBe(503);
    expect([307, 308, 400, 404], `${path} ${status}`).toContain(status);
    expect(text, path).not.toMatch(/\[core\]|refs\/heads|"dependencies"|NEXTAUTH_SECRET/);
  }
  for (const folder of folders) {
    const { status, text } = await anybody.get(`/${folder}/`);
    expect([307, 308, 404], `${folder} ${status}`).toContain(status);
    expect(text, folder).not.toMatch(/Index of|<a\b[^>]*\.(?:svg|js|css)"/);
  }
});
