import { expect } from 'vitest';
import type { Told } from './crowd';

/** For tests: says of each purchase that was not accepted how and when it was answered, ms since the first. */
export const refusedOf = (replies: readonly Told[]) =>
  replies
    .filter(({ http }) => http !== 202)
    .map(({ http, code, at, tookMs }) => {
      const atMs = at - Math.min(...replies.map((reply) => reply.at));
      return `${http} ${code} asked at ${Math.round(atMs)} ms, after ${Math.round(tookMs)} ms`;
    });

export const longestMsOf = (replies: readonly Told[]) => Math.max(...replies.map(({ tookMs }) => tookMs));

export const medianMsOf = (replies: readonly Told[]) =>
  replies.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[Math.floor(replies.length / 2)] ?? 0;

/** Expects that nobody waited for another shard: that takes a second. A busy machine may make some wait as long. */
export function expectPrompt(replies: readonly Told[]): void {
  expect(medianMsOf(replies)).toBeLessThan(500);
  expect(longestMsOf(replies)).toBeLessThan(3_000);
}
