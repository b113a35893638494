import 'server-only';
import type { ArithmeticTask } from '@/lib/contract/shapes/challenge';
import { between, oneOf } from '../random';
import { dataUrl, render } from '../render';
import { drawTask, PICTURE } from './draw-task';

export type ArithmeticSecret = { kind: 'arithmetic'; answer: number };

type Sum = { left: number; sign: '+' | '−' | '×'; right: number; answer: number };

/**
 * Picks a sum that is easy to do in the head, never below zero. Its answer is 0 … 99, so a guess is right about once
 * in fifty.
 */
function thinkUp(): Sum {
  const sign = oneOf(['+', '−', '×'] as const);
  if (sign === '×') {
    const [left, right] = [between(2, 9), between(2, 9)];
    return { left, sign, right, answer: left * right };
  }
  const [left, right] = [between(20, 70), between(2, 19)];
  return { left, sign, right, answer: sign === '+' ? left + right : left - right };
}

/** Makes a sum as a picture; null if too many are being drawn. */
export async function createArithmetic(): Promise<{ task: ArithmeticTask; secret: ArithmeticSecret } | null> {
  const { left, sign, right, answer } = thinkUp();
  const picture = await render(() => drawTask([...`${left}${sign}${right}=?`]));
  if (!picture) return null;
  return {
    task: { kind: 'arithmetic', image: dataUrl('image/png', picture), ...PICTURE },
    secret: { kind: 'arithmetic', answer },
  };
}
