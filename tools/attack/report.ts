import { lineUp } from '@/tools/harness/line-up';

/** A promise and whether it was kept. */
type Target = {
  what: string;
  target: string;
  measured: string;
  isMet: boolean;
  /** True if the result depends on how fast the machine is. */
  isTimed?: boolean;
};

export type ScenarioReport = {
  scenario: string;
  /** Says in a sentence or two what the scenario models. */
  model: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  targets: readonly Target[];
};

/** Returns the lines to print for a scenario. */
export function describeScenario({ scenario, model, columns, rows, targets }: ScenarioReport): string[] {
  const table = lineUp([columns, ...rows], { rule: '-' });
  return [
    '',
    `${scenario}: ${model}`,
    '',
    ...table.split('\n').map((line) => `  ${line}`.trimEnd()),
    '',
    ...targets.map(
      ({ what, target, measured, isMet }) => `  ${isMet ? '✓' : '✗'} ${what}: ${measured} (target ${target})`,
    ),
  ];
}

export class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  toString(): string {
    const sorted = Object.entries(this.counts).sort(([, a], [, b]) => b - a);
    return sorted.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none';
  }
}
