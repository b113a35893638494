import type { z } from 'zod';
import { TOPICS } from './schema';
import { toldOf } from './tell';

const HEAD = `# Settings

Every variable that the processes read, made from the schema that checks them (\`lib/settings\`). A process that finds one missing or wrong
names it and does not start. An empty one counts as unset. \`npm start\` sets what it can by itself; where \`migrate\`, \`web\`, \`worker\` and
\`executor\` run apart ([deploy](../deploy/README.md)), all processes of a shop need the same secrets.

**needed**: the processes named don't start without it.
`;

/** Returns docs/SETTINGS.md: a table for each topic. */
export function toTable(): string {
  const topics = Object.entries(TOPICS).map(([topic, settings]) => {
    const rows = Object.entries<z.ZodType>(settings).map(([name, kind]) => row(name, kind));
    return [
      `## ${topic}`,
      '',
      '| setting | used by | without it | example | |',
      '|---|---|---|---|---|',
      ...rows,
    ];
  });
  return [HEAD, ...topics.map((lines) => `${lines.join('\n')}\n`)].join('\n');
}

function row(name: string, kind: z.ZodType): string {
  const { says, usedBy, example, unset } = toldOf(name, kind);
  const cells = [`\`${name}\``, usedBy.join(', '), unset ?? withoutIt(kind), shown(example), says];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns what the schema says of an unset variable. */
function withoutIt(kind: z.ZodType): string {
  const { type, defaultValue } = kind._zod.def as { type: string; defaultValue?: unknown };
  if (type !== 'default') return '**needed**';
  return shown(typeof defaultValue === 'boolean' ? String(Number(defaultValue)) : String(defaultValue));
}

/** As code, unless it is written as code already. */
const shown = (text = '') => (text === '' || text.includes('`') ? text : `\`${text}\``);
