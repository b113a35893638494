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

const slowestOf = (replies: readonly Told[], share: number) =>
  replies.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[Math.floor(replies.length * share)] ?? 0;

export const medianMsOf = (replies: readonly Told[]) => slowestOf(replies, 0.5);

/** Expects that nobody waited for another shard: that takes a second. A busy machine makes one in twenty wait longer. */
export function expectPrompt(replies: readonly Told[]): void {
  expect(medianMsOf(replies)).toBeLessThan(500);
  expect(slowestOf(replies, 0.95)).toBeLessThan(3_000);
}
