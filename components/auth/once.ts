import { ApiProblem } from '@/components/api/api-problem';

/** The server may have done it although the client got no readable answer. */
const mayBeDone = ({ status, code }: ApiProblem) => status === 0 || status >= 500 || code === 'UNREADABLE';

/**
 * Wraps an action that works only once, such as opening an account. The visitor may repeat it when its answer was
 * lost, or when a later step failed.
 * @param doneCode what the server answers when it was done before
 * @returns a function that does it for one visitor. Null: it is done. That refusal: it was done before, perhaps by an
 *   earlier try of this page; if the visitor can sign in now, it worked.
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
