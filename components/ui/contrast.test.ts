import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Computes the contrast of the design's tokens by WCAG 2.2 from the stylesheet itself. */

const css = readFileSync(join(import.meta.dirname, '../../app/globals.css'), 'utf8');
const [light = '', dark = '', forced = ''] = [...css.matchAll(/:root \{([^}]*--surface[^}]*)\}/g)].map(
  (match) => match[1] ?? '',
);

function luminance(block: string, token: string): number {
  const [, l = '', c = '', h = ''] =
    new RegExp(`--${token}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block) ?? [];
  if (l === '') throw new Error(`no token --${token}`);
  const hue = (Number(h) * Math.PI) / 180;
  const a = Number(c) * Math.cos(hue);
  const b = Number(c) * Math.sin(hue);
  // Oklab to linear sRGB: https://bottosson.github.io/posts/oklab/
  const long = (Number(l) + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (Number(l) - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (Number(l) - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(block: string, one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(block, one), luminance(block, other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

const AA: [string, string][] = [
  ['muted', 'surface'],
  ['muted', 'panel'],
  ['muted', 'sunken'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['success', 'panel'],
  ['success', 'surface'],
  ['success', 'success-soft'],
  ['warning', 'surface'],
  ['warning', 'warning-soft'],
  ['danger', 'panel'],
  ['danger', 'danger-soft'],
];
const AAA: [string, string][] = [
  ['text', 'surface'],
  ['text', 'panel'],
  ['text', 'sunken'],
];
/** Edges of controls and bars need 3:1 against their surroundings. */
const EDGES: [string, string][] = [
  ['control', 'panel'],
  ['accent', 'sunken'],
  ['accent', 'panel'],
  ...[1, 2, 3, 4, 5].map((n): [string, string] => [`series-${n}`, 'panel']),
];

describe('in forced colours', () => {
  const colourOf = (token: string) => new RegExp(`--${token}: ([^;]+);`).exec(forced)?.[1];
  const names = [...light.matchAll(/--([\w-]+): oklch/g)].map(([, name = '']) => name);

  it('[L3] every colour is one of the reader’s', () => {
    const SYSTEM = ['Canvas', 'CanvasText', 'Highlight', 'HighlightText'];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(SYSTEM, name).toContain(colourOf(name));
  });

  it.each([...AA, ...AAA, ...EDGES])('[L3] %s differs from %s', (one, other) => {
    expect(colourOf(one)).not.toBe(colourOf(other));
  });
});

describe.each([
  ['light', light],
  ['dark', dark],
])('contrast in %s mode', (_mode, block) => {
  it.each(AA)('%s on %s is at least 4.5:1', (one, other) => {
    expect(contrast(block, one, other)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(AAA)('%s on %s is at least 7:1', (one, other) => {
    expect(contrast(block, one, other)).toBeGreaterThanOrEqual(7);
  });
  it.each(EDGES)('%s next to %s is at least 3:1', (one, other) => {
    expect(contrast(block, one, other)).toBeGreaterThanOrEqual(3);
  });
});
