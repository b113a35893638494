import { describe, expect, it } from 'vitest';
import { drawFlameGraph } from './flame-graph';
import type { Frame } from './fold';

const frame = (name: string, place: string, selfMs: number, ...children: Frame[]): Frame => ({
  name,
  place,
  selfMs,
  totalMs: children.reduce((sum, child) => sum + child.totalMs, selfMs),
  children: new Map(children.map((child) => [child.name, child])),
});
const root = frame(
  'all',
  '',
  0,
  frame('rare', 'node:net:1', 0.001),
  frame(
    '<lambda>',
    'lib/sell.ts:4',
    10,
    frame('a name that is longer than its box', 'ioredis/redis.js:5', 90),
  ),
);

describe('the flame graph', () => {
  const svg = drawFlameGraph({ root, idleMs: 900 }, 'purchase, web');
  const boxes = [
    ...svg.matchAll(/<title>(.*)<\/title><rect x="(.*?)" y="(.*?)" width="(.*?)" height="16" fill="(.*?)"/g),
  ];

  it('[E10] draws each function as wide as its time, above its caller', () => {
    const [all, lambda, inner] = boxes.map(([, , x, y, width]) => [x, y, width].map(Number));
    expect(all?.[2]).toBe(1_400);
    expect(lambda?.[2]).toBeCloseTo(1_400, 0);
    expect(inner?.[2]).toBeCloseTo(1_260, 0);
    expect((all?.[1] ?? 0) - (lambda?.[1] ?? 0)).toBe(17);
    expect(inner?.[0]).toBe(0);
  });

  it('[E10] names each function, its place and its share, and escapes names', () => {
    expect(boxes[1]?.[1]).toBe('&lt;lambda&gt; (lib/sell.ts:4): 100.0 %, itself 10.0 %');
    expect(svg).not.toContain('<lambda>');
    expect(svg).toContain('purchase, web: busy 0.1 s of 1.0 s');
  });

  it('[E10] leaves out what could not be seen, and draws nothing as nothing', () => {
    expect(svg).not.toContain('rare');
    expect(drawFlameGraph({ root: frame('all', '', 0), idleMs: 0 }, 'x')).toContain('busy 0.0 s of 0.0 s');
  });
});
