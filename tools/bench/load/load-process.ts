import { fork } from 'node:child_process';
import { join } from 'node:path';

const TIMEOUT_MS = 120_000;

/** A process of the load, which answers one question at a time. */
export type LoadProcess<Question, Answer> = {
  pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): void;
};

/**
 * Starts a process of the load, so that it does not share a thread with anything it measures.
 * @param file in this folder; it calls `answerParent`.
 * @param env of the product, for the key that signs tokens.
 */
export function startLoadProcess<Question extends object, Answer>(
  root: string,
  file: string,
  env: NodeJS.ProcessEnv,
): LoadProcess<Question, Answer> {
  const child = fork(join(root, 'tools/bench/load', file), {
    cwd: root,
    env,
    execArgv: ['--import', 'tsx', '--conditions=react-server'],
  });
  return {
    pid: child.pid ?? 0,
    ask: (question) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish({ error: `${file} does not answer` }), TIMEOUT_MS);
        const onExit = () => finish({ error: `${file} ended` });
        const finish = (outcome: Outcome<Answer>) => {
          clearTimeout(timer);
          child.off('exit', onExit);
          child.off('message', finish);
          if ('error' in outcome) reject(new Error(outcome.error));
          else resolve(outcome.answer);
        };
        child.once('exit', onExit);
        child.once('message', finish);
        child.send(question, (error) => error && finish({ error: error.message }));
      }),
    stop: () => void child.kill(),
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
