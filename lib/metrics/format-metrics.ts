import { METRICS, type MetricName } from './catalog';
import type { Sample } from './sample';

/** The content type of what `formatMetrics` writes. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Writes samples as Prometheus reads them: every metric of the catalogue with its help and type, then its samples.
 * (Prometheus, "Exposition formats", text-based format 0.0.4)
 */
export function formatMetrics(samples: readonly Sample[]): string {
  const lines: string[] = [];
  for (const [name, { type, help }] of Object.entries(METRICS)) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const sample of samples) if (sample.name === (name as MetricName)) lines.push(line(sample));
  }
  return `${lines.join('\n')}\n`;
}

function line({ name, suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberText(value)}`;
}

const escapeLabel = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** A value that JSON lost on its way through Redis is not a number. */
const numberText = (value: number) => (Number.isFinite(value) ? String(value) : 'NaN');
