import { expect } from '@playwright/test';
import type { Answer } from './client';

/** Expects this refusal, in the form every refusal has. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }, answer.text.slice(0, 500)).toEqual({
    status,
    code,
  });
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
  });
  expect(answer.body.requestId).toMatch(/^[\w-]{8,}$/);
  if (status === 429 || status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  // No refusal may reveal what went wrong inside.
  expect(answer.text).not.toMatch(/prisma|postgres|node_modules|at .*\.ts/i);
}
