import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { stopChild } from '../../scripts/infra/processes.mjs';

/** Longer than any question should take, so that a process that hangs is an error. */
const TIMEOUT_MS = 120_000;
const ROOT = resolve(import.meta.dirname, '../..');

/** A process of ours that answers one question at a time. */
export type AskedProcess<Question, Answer> = {
  pid: number;
  /** @throws Error when the process failed, ended or took too long. */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
};

/**
 * Starts a process that shares no thread with this one.
 * @param file absolute; it calls `answerParent`.
 */
export function startAskedProcess<Question extends object, Answer>(
  file: string,
  env: NodeJS.ProcessEnv,
): AskedProcess<Question, Answer> {
  const child = fork(file, {
    // The product reads its scripts relative to the repository's root.
    cwd: ROOT,
    env,
    execArgv: ['--import', 'tsx', '--conditions=react-server'],
  });
  return {
    pid: child.pid ?? 0,
    ask: (question) =>
      new Promise((answered, reject) => {
        const timer = setTimeout(() => finish({ error: `${file} does not answer` }), TIMEOUT_MS);
        const onExit = () => finish({ error: `${file} ended` });
        const finish = (outcome: Outcome<Answer>) => {
          clearTimeout(timer);
          child.off('exit', onExit);
          child.off('message', finish);
          if ('error' in outcome) reject(new Error(outcome.error));
          else answered(outcome.answer);
        };
        child.once('exit', onExit);
        child.once('message', finish);
        child.send(question, (error) => error && finish({ error: error.message }));
      }),
    stop: async () => void (await stopChild(child, { graceMs: 2_000 })),
  };
}

type Outcome<Answer> = { answer: Answer } | { error: string };

/** The other side: answers every question of the process that started this one, and ends with it. */
export function answerParent<Question, Answer>(work: (question: Question) => Promise<Answer>): void {
  process.on('message', (question: Question) => {
    work(question).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
