import { oneOf } from '../random';

const EDGE = 12;
const SIDE = 40;
const KNOB = 7;

/**
 * Makes the outline of a jigsaw piece in its 64 × 64 box. Each side has at random a knob, a notch or neither, so that
 * the gap's shape varies.
 */
export function piecePath(): string {
  const half = SIDE / 2 - KNOB;
  const side = (dx: number, dy: number) => {
    const bend = oneOf(['knob', 'notch', 'straight'] as const);
    if (bend === 'straight') return `l${dx * SIDE} ${dy * SIDE}`;
    const sweep = bend === 'knob' ? 1 : 0;
    const arc = `a${KNOB} ${KNOB} 0 0 ${sweep} ${dx * 2 * KNOB} ${dy * 2 * KNOB}`;
    return `l${dx * half} ${dy * half}${arc}l${dx * half} ${dy * half}`;
  };
  return `M${EDGE} ${EDGE}${side(1, 0)}${side(0, 1)}${side(-1, 0)}${side(0, -1)}z`;
}
