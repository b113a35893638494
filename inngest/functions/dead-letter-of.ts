import 'server-only';
import { log } from '@/lib/http/log';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { gaveUpOnServers } from './wait-for-servers';

type Failure = {
  event: { data: { run_id: string; event: { data?: unknown } } };
  error: Error;
  step: { run: (id: string, work: () => Promise<boolean>) => Promise<boolean> };
};

/**
 * Builds the onFailure handler of a function whose work the sweep repeats anyway. The handler records a dead letter
 * for the run that was given up, unless only a server was away: then nobody has anything to decide.
 */
export const deadLetterOf =
  (consumer: string) =>
  async ({ event, error, step }: Failure): Promise<boolean> => {
    const { run_id: messageId, event: cause } = event.data;
    if (gaveUpOnServers(error)) {
      log.warn({ consumer, run: messageId, err: error }, 'left to the sweep: a server could not serve');
      return false;
    }
    return step.run('record-dead-letter', () =>
      recordDeadLetter({ consumer, messageId, payload: cause.data ?? null, error: error.message }),
    );
  };
