import 'server-only';
import { createArithmetic } from './arithmetic/create-arithmetic';
import { createPow } from './pow/create-pow';
import { createSlider } from './slider/create-slider';
import { createSound } from './sound/create-sound';
import type { CreateTask } from './types';

/** Makes a task of any kind. Puzzles are drawn: this belongs into a process that sells nothing. */
export const createTask: CreateTask = async (kind, bits) => {
  switch (kind) {
    case 'pow':
      return createPow(bits);
    case 'slider':
      return createSlider();
    case 'arithmetic':
      return createArithmetic();
    case 'sound':
      return createSound();
  }
};
