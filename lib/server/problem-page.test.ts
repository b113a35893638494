import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { problemReply } from '@/lib/http/problem';
import { problemForReader } from './problem-page';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const asked = (url: string, { accept = BROWSER, method = 'GET' } = {}) =>
  ({ url, method, headers: { accept } }) as unknown as IncomingMessage;
const away = problemReply('UNAVAILABLE', { retryAfterMs: 1_000 });

it('[L4 J4] whoever opens a page while the shop is away reads a page in its language, which comes again by itself', () => {
  const { status, headers, body } = problemForReader(asked('/sales/tempo-watch?from=mail'), away);
  expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '1', 'no-store']);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(body).toMatch(/<html lang="en">.*<meta http-equiv="refresh" content="[2-5]">/);
  expect(body).toContain('The trouble is on our side.');
  expect(problemForReader(asked('/zh-CN'), away).body).toMatch(/<html lang="zh-CN">.*页面会自动重试/);
  expect(problemForReader(asked('/zh-CN/orders'), away).body).toContain('lang="zh-CN"');
  expect(problemForReader(asked('/zh-CNx'), away).body).toContain('lang="en"');
  expect(problemForReader(asked('/'), problemReply('RATE_LIMITED')).body).toContain('Wait a moment');
});

it('[L4] programs, the page’s own requests, and refusals that stay get the record', () => {
  const programs = [
    asked('/api/sales'),
    asked('/', { accept: '*/*' }),
    asked('/', { accept: 'application/json' }),
    asked('/signin', { method: 'POST' }),
  ];
  for (const request of programs) expect(problemForReader(request, away)).toBe(away);
  const missing = problemReply('NOT_FOUND');
  expect(problemForReader(asked('/'), missing)).toBe(missing);
});
