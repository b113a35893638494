import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Order, Word } from './messages';

/** Longer than any race should take, so that a strategy that hangs ends with an error. */
const ANSWER_TIMEOUT_MS = 60_000;

export interface Racer {
  /**
   * Gives an order and waits for the answer.
   * @returns the answer.
   * @throws Error when the process failed, died or took too long.
   */
  tell<T extends Word['type']>(order: Order, answer: T): Promise<Extract<Word, { type: T }>>;
  stop(): Promise<void>;
}

/** Starts a racing process, which runs many races. */
export function startRacer(): Racer {
  const child = fork(join(import.meta.dirname, 'racer.ts'), {
    // The product reads its scripts relative to the repository's root.
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: ['--import', 'tsx', '--conditions=react-server'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  return {
    async tell<T extends Word['type']>(order: Order, answer: T) {
      const reply = nextWord(child);
      child.send(order);
      const word = await reply;
      if (word.type === 'failed') throw new Error(`a racing process failed: ${word.message}`);
      if (word.type !== answer) throw new Error(`a racing process said ${word.type}, not ${answer}`);
      return word as Extract<Word, { type: T }>;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function nextWord(child: ChildProcess): Promise<Word> {
  return new Promise((resolveWord, reject) => {
    const onMessage = (word: Word) => done(() => resolveWord(word));
    const onExit = () => done(() => reject(new Error('a racing process died')));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      done(() => reject(new Error(`a racing process did not answer in ${ANSWER_TIMEOUT_MS / 1_000} s`)));
    }, ANSWER_TIMEOUT_MS);
    const done = (end: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      end();
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
