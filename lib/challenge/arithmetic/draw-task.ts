import 'server-only';
import sharp from 'sharp';
import { between, fraction, oneOf, times } from '../random';
import { GLYPHS } from './glyphs';

/** Twice the size it is shown at, so that it is sharp on a phone. */
export const PICTURE = { width: 480, height: 160 } as const;

const INKS = ['#1d3557', '#5a189a', '#7f1d1d', '#14532d', '#3f3f46'];
const PAPERS = ['#f4efe6', '#e9eef5', '#eef5ea', '#f6eaf0'];

/**
 * Draws a glyph with random slant, shift, size and thickness, so that no two pictures of a digit are alike. Signs are
 * turned less: a plus that turned further would be a times.
 */
function drawGlyph(sign: string, centre: number): string {
  const place = `translate(${centre + fraction(-6, 6)} ${PICTURE.height / 2 + fraction(-14, 14)})`;
  const lean = /\d/.test(sign) ? 16 : 8;
  const turn = `rotate(${fraction(-lean, lean)}) skewX(${fraction(-lean / 2, lean / 2)})`;
  const size = `scale(${fraction(2.3, 2.9)} ${fraction(2.3, 2.9)}) translate(-10 -15)`;
  const width = fraction(1.9, 2.8);
  return `<path d="${GLYPHS[sign]}" transform="${place} ${turn} ${size}" stroke="${oneOf(INKS)}" stroke-width="${width}"/>`;
}

/** Draws lines across the digits in the digits' colours, so that a program can't separate digits by colour or by gaps. */
function drawScrawl(): string {
  const { width, height } = PICTURE;
  const y = () => between(10, height - 10);
  const curve = `M-5 ${y()} C${between(60, 180)} ${y()} ${between(240, 400)} ${y()} ${width + 5} ${y()}`;
  return `<path d="${curve}" stroke="${oneOf(INKS)}" stroke-width="${fraction(1.5, 2.6)}" opacity="0.7"/>`;
}

function drawSpeck(): string {
  const { width, height } = PICTURE;
  const [x, y] = [between(0, width), between(0, height)];
  return `<circle cx="${x}" cy="${y}" r="${fraction(1, 3.5)}" fill="${oneOf(INKS)}" stroke="none" opacity="0.5"/>`;
}

/**
 * Draws a line of digits and signs as a PNG with noise; every sign must be one of `GLYPHS`. 11 ms on two busy cores.
 * @returns the file's bytes, about 12 KB.
 */
export async function drawTask(signs: readonly string[]): Promise<Buffer> {
  const { width, height } = PICTURE;
  const gap = width / (signs.length + 1);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${oneOf(PAPERS)}"/>
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      ${times(70, drawSpeck).join('')}
      ${signs.map((sign, at) => drawGlyph(sign, gap * (at + 1))).join('')}
      ${times(4, drawScrawl).join('')}
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 64, effort: 1 }).toBuffer();
}
