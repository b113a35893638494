import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Standing } from './contest';
import { drawChart } from './draw-chart';
import { formatTable } from './format-table';
import { strategies } from './strategies';

const sound = { accepted: 100, soldOut: 1_900, busy: 0, stock: 0, orders: 100 };
const nothing = { oversold: 0, unsold: 0, drift: 0, lowestStock: 0 };
const good: Standing = {
  name: 'good',
  title: 'Update where stock > 0 & more',
  source: '',
  isCorrect: true,
  flaw: null,
  processes: 2,
  rounds: 3,
  throughput: 12_345.6,
  p50Ms: 1.26,
  p99Ms: 40.4,
  isAsLabelled: true,
  ...sound,
  ...nothing,
};
const bad: Standing = {
  ...good,
  name: 'bad',
  title: 'Read, then update',
  isCorrect: false,
  flaw: 'oversells',
  orders: 154,
  accepted: 154,
  oversold: 54,
  lowestStock: -54,
  throughput: 3,
};
const course = { buyers: 2_000, units: 100, concurrency: 64, seed: 1 };

it('[C4] the chart says everything in words too, escapes them and marks the broken ones by more than colour', () => {
  const svg = drawChart([good, bad], course);
  expect(svg).toContain('<title id="title">2,000 buyers race for 100 units</title>');
  expect(svg).toContain('Update where stock &gt; 0 &amp; more: 12,346 buyers/s, sold exactly 100.');
  expect(svg).toContain('✗ 54 oversold, down to −54');
  expect(svg.match(/class="outline"/g)).toHaveLength(1);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/NaN|undefined|Infinity|&(?!amp;|gt;|lt;)/);
});

it('[C4] the table has a line each, aligned, and shouts when a strategy did something else', () => {
  const lines = formatTable([good, { ...bad, isAsLabelled: false }]).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/^Update where.* 12,346 .*1\.3 .*40 .*✓ correct$/);
  expect(lines[3]).toMatch(/54 .*−54 .*✗ oversells — NOT AS LABELLED$/);
  expect(lines[2]?.indexOf('✓')).toBe(lines[3]?.indexOf('✗'));
});

it('[C4] the chart in docs has every strategy', () => {
  const svg = readFileSync(join(import.meta.dirname, '../../docs/lab.svg'), 'utf8');
  for (const { title } of strategies) expect(svg).toContain(`>${title.replaceAll('>', '&gt;')}</text>`);
});
