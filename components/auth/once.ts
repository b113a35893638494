import { ApiProblem } from '@/components/api/api-problem';

/** It may have been done all the same: the answer was lost, or could not be read. */
const mayBeDone = ({ status, code }: ApiProblem) => status === 0 || status >= 500 || code === 'UNREADABLE';

/**
 * For what can be done only once, such as opening an account: it may be asked for again when its answer was lost, or when
 * what comes after it failed.
 * @param doneCode what the server answers when it was done before
 * @returns does it for somebody. Null: it is done. That refusal: it was done before, perhaps by an earlier try of ours;
 * whoever can sign in now is through.
 */
export function createOnce(doneCode: string) {
  let done = '';
  let unanswered = '';
  return async (whom: string, work: () => Promise<unknown>): Promise<ApiProblem | null> => {
    if (done === whom) return null;
    try {
      await work();
      done = whom;
      return null;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.code === doneCode && unanswered === whom) return error;
      if (mayBeDone(error)) unanswered = whom;
      throw error;
    }
  };
}
