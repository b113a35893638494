import 'server-only';
import { log } from '@/lib/http/log';
import { type DeadLetterInput, recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { gaveUpOnServers } from './wait-for-servers';

type Failure = {
  event: { data: { run_id: string; event: { data?: unknown } } };
  error: Error;
  step: { run: (id: string, work: () => Promise<boolean>) => Promise<boolean> };
};
type Letter = Omit<DeadLetterInput, 'consumer' | 'error' | 'attempts'>;

const oneForAll = async (runId: string, payload: unknown): Promise<Letter[]> => [
  { messageId: runId, payload },
];

/**
 * Builds the onFailure handler of a function whose work the sweep repeats anyway. The handler records a dead letter
 * for the run that was given up, unless only a server was away: then nobody has anything to decide.
 * @param toLetters makes the letters of a run from its event's data; left out: one for all of it
 */
export const deadLetterOf =
  (consumer: string, toLetters = oneForAll) =>
  async ({ event, error, step }: Failure): Promise<boolean> => {
    const { run_id: runId, event: cause } = event.data;
    if (gaveUpOnServers(error)) {
      log.warn({ consumer, run: runId, err: error }, 'left to the sweep: a server could not serve');
      return false;
    }
    return step.run('record-dead-letter', async () => {
      let isNew = false;
      for (const letter of await toLetters(runId, cause.data ?? null))
        isNew = (await recordDeadLetter({ consumer, error: error.message, ...letter })) || isNew;
      return isNew;
    });
  };
