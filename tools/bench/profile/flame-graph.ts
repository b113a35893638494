import type { Flame, Frame } from './fold';

const WIDTH = 1_400;
const ROW = 17;
const HEAD = 44;
const CHAR = 6.7;
/** Narrower boxes would not be seen. */
const MIN_WIDTH = 0.5;

/** Colours by whose code it is. */
const COLOURS = [
  {
    whose: 'ours',
    colour: '#f4a261',
    isIts: (place: string) => /^(lib|app|inngest|scripts|components)\//.test(place),
  },
  { whose: 'Node', colour: '#8ecae6', isIts: (place: string) => place.startsWith('node:') },
  {
    whose: 'V8 and system',
    colour: '#ced4da',
    isIts: (place: string) => place === '',
  },
  { whose: 'packages', colour: '#a7c957', isIts: () => true },
] as const;

/**
 * Draws a flame graph (Brendan Gregg, "The Flame Graph", CACM 2016): each box is a function, as wide as the time spent
 * in it and in what it called, above its caller. The order from left to right means nothing: the widest comes first.
 * Pointing at a box shows its name, place and time.
 */
export function drawFlameGraph({ root, idleMs }: Flame, title: string): string {
  const boxes: string[] = [];
  const depth = depthOf(root);
  const height = HEAD + depth * ROW + 10;
  const scale = WIDTH / Math.max(root.totalMs, 0.001);
  const draw = (frame: Frame, x: number, level: number) => {
    const width = frame.totalMs * scale;
    if (width < MIN_WIDTH) return;
    boxes.push(box(frame, x, height - 10 - (level + 1) * ROW, width, root.totalMs));
    let at = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.totalMs - a.totalMs)) {
      draw(child, at, level + 1);
      at += child.totalMs * scale;
    }
  };
  draw(root, 0, 0);
  const busy = `busy ${seconds(root.totalMs)} of ${seconds(root.totalMs + idleMs)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="monospace" font-size="11">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="4" y="16" font-size="14">${escapeText(`${title}: ${busy}`)}</text>`,
    ...COLOURS.map(
      ({ whose, colour }, n) =>
        `<rect x="${4 + n * 150}" y="24" width="12" height="12" fill="${colour}"/><text x="${20 + n * 150}" y="34">${whose}</text>`,
    ),
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

function box(frame: Frame, x: number, y: number, width: number, allMs: number): string {
  const { name, place, totalMs, selfMs } = frame;
  const share = (ms: number) => `${((ms / Math.max(allMs, 0.001)) * 100).toFixed(1)} %`;
  const hint = `${name}${place && ` (${place})`}: ${share(totalMs)}, itself ${share(selfMs)}`;
  const room = Math.floor((width - 4) / CHAR);
  const shown = name.length <= room ? name : room > 3 ? `${name.slice(0, room - 1)}…` : '';
  const colour = COLOURS.find(({ isIts }) => isIts(place))?.colour;
  const rect = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour}"/>`;
  const text = shown && `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escapeText(shown)}</text>`;
  return `<g><title>${escapeText(hint)}</title>${rect}${text}</g>`;
}

const depthOf = ({ children }: Frame): number => 1 + Math.max(0, ...[...children.values()].map(depthOf));

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
