import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SliderTask } from '@/lib/contract/shapes/challenge';
import { between } from '../random';
import { dataUrl, render } from '../render';
import { cutPiece } from './cut-piece';
import { MAX_X, MIN_GAP_X, PICTURE, PIECE_SIZE, STEP_X } from './geometry';

export type SliderSecret = { kind: 'slider'; x: number; madeAt: number };

/** Makes a picture with a gap, and the piece that fills it; null if too many are being drawn. */
export async function createSlider(): Promise<{ task: SliderTask; secret: SliderSecret } | null> {
  const [x, y] = [between(MIN_GAP_X, MAX_X), between(0, PICTURE.height - PIECE_SIZE)];
  const drawn = await render(() => cutPiece(x, y));
  if (!drawn) return null;
  return {
    task: {
      kind: 'slider',
      image: dataUrl('image/jpeg', drawn.background),
      piece: dataUrl('image/png', drawn.piece),
      ...PICTURE,
      pieceSize: PIECE_SIZE,
      pieceY: y,
      maxX: MAX_X,
      stepX: STEP_X,
    },
    secret: { kind: 'slider', x, madeAt: nowMs() },
  };
}
