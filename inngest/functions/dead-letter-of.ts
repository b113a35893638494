import 'server-only';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';

type Failure = {
  event: { data: { run_id: string; event: { data?: unknown } } };
  error: Error;
  step: { run: (id: string, work: () => Promise<boolean>) => Promise<boolean> };
};

/**
 * Builds the onFailure handler of a function whose work the sweep repeats anyway. The handler records a dead letter
 * for the run that was given up.
 */
export const deadLetterOf =
  (consumer: string) =>
  ({ event, error, step }: Failure): Promise<boolean> =>
    step.run('record-dead-letter', () => {
      const { run_id: messageId, event: cause } = event.data;
      return recordDeadLetter({ consumer, messageId, payload: cause.data ?? null, error: error.message });
    });
