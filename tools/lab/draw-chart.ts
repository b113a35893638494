import type { Standing } from './contest';
import type { Course } from './race';
import { count, milliseconds, verdict } from './verdict';

const WIDTH = 1_000;
const ROW = 34;
const TOP = 96;
const BARS = { left: 268, width: 300 };
const VERDICT_LEFT = 690;
const TICKS = [100, 1_000, 10_000, 100_000, 1_000_000];

/** Colours of the shop. Broken bars are hatched as well, so that colour is never the only sign. */
const STYLE = `
  svg { color-scheme: light dark; --surface: #fbf9f7; --text: #1f1a17; --muted: #665d57; --line: #ddd7d2; --good: #1e6b3c; --bad: #b3261e }
  @media (prefers-color-scheme: dark) {
    svg { --surface: #171412; --text: #f2efed; --muted: #b5aca5; --line: #3b3632; --good: #6fce93; --bad: #ff8a7a }
  }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--text); font-variant-numeric: tabular-nums }
  .heading { font-size: 18px; font-weight: 600 } .muted { fill: var(--muted) } .end { text-anchor: end } .middle { text-anchor: middle }
  .good { fill: var(--good) } .bad { fill: var(--bad) } .bar.bad { fill: url(#hatch) } .stripe { stroke: var(--bad); stroke-width: 5 }
  .outline { fill: none; stroke: var(--bad) } .grid { stroke: var(--line) } .page { fill: var(--surface) }`;

/**
 * Draws a bar chart of the throughput, on a logarithmic scale, with the verdict on each strategy.
 * @returns the SVG's text.
 */
export function drawChart(standings: readonly Standing[], { buyers, units }: Course): string {
  const height = TOP + standings.length * ROW + 52;
  const bottom = TOP + standings.length * ROW;
  const title = `${count(buyers)} buyers race for ${count(units)} units`;
  const summary = standings.map(
    (each) => `${each.title}: ${count(each.throughput)} buyers/s, ${verdict(each)}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escapeXml(title)}</title>
<desc id="desc">${escapeXml(`${summary.join('. ')}.`)}</desc>
<style>${STYLE}</style>
<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="2" y1="0" x2="2" y2="8"/></pattern></defs>
<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>
<text class="heading" x="24" y="38">${escapeXml(title)}</text>
<text class="muted" x="24" y="60">Buyers answered per second (logarithmic), p99 of the answer, and what became of the stock</text>
<text class="muted" x="24" y="${TOP - 10}">Strategy</text>
<text class="muted end" x="${VERDICT_LEFT - 16}" y="${TOP - 10}">p99 ms</text>
<text class="muted" x="${VERDICT_LEFT}" y="${TOP - 10}">Stock</text>
${TICKS.map((tick) => grid(tick, bottom)).join('\n')}
${standings.map(row).join('\n')}
<text class="muted" x="24" y="${height - 14}">Solid: sells exactly what there is. Hatched: broken, as measured.</text>
</svg>
`;
}

function x(throughput: number): number {
  const [low = 1, high = 1] = [TICKS[0], TICKS.at(-1)];
  const share = Math.log(throughput / low) / Math.log(high / low);
  return BARS.left + BARS.width * Math.min(1, Math.max(0.01, share));
}

function grid(tick: number, bottom: number): string {
  const at = tick === TICKS[0] ? BARS.left : x(tick);
  return `<line class="grid" x1="${at.toFixed(1)}" y1="${TOP}" x2="${at.toFixed(1)}" y2="${bottom}"/>
<text class="muted middle" x="${at.toFixed(1)}" y="${bottom + 18}">${count(tick)}</text>`;
}

function row(standing: Standing, index: number): string {
  const y = TOP + index * ROW;
  const width = (x(standing.throughput) - BARS.left).toFixed(1);
  const tone = standing.isCorrect ? 'good' : 'bad';
  const bar = `x="${BARS.left}" y="${y + 7}" width="${width}" height="${ROW - 14}" rx="3"`;
  return `<g><text x="24" y="${y + 22}">${escapeXml(standing.title)}</text>
<rect class="bar ${tone}" ${bar}/>${standing.isCorrect ? '' : `<rect class="outline" ${bar}/>`}
<text x="${(x(standing.throughput) + 6).toFixed(1)}" y="${y + 22}">${count(standing.throughput)}</text>
<text class="end" x="${VERDICT_LEFT - 16}" y="${y + 22}">${milliseconds(standing.p99Ms)}</text>
<text class="${tone}" x="${VERDICT_LEFT}" y="${y + 22}">${standing.isCorrect ? '✓' : '✗'} ${escapeXml(verdict(standing))}</text></g>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
