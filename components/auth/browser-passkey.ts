import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import type { MadePasskey, PasskeyAnswer, PasskeyQuestion, PasskeyWish } from '@/lib/contract/shapes/passkey';

/** Loaded where a passkey is used, and not before: no page that a visitor sees first needs it. */
const library = () => import('@simplewebauthn/browser');

/** Says whether this browser knows passkeys. */
export const knowsPasskeys = (): boolean =>
  typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function';

/**
 * Has the visitor answer by a passkey.
 * @throws ApiProblem PASSKEY_CANCELLED if they did not, or could not
 */
export const answerByPasskey = (question: PasskeyQuestion): Promise<PasskeyAnswer> =>
  orCancelled(async () => {
    const { startAuthentication } = await library();
    return (await startAuthentication({ optionsJSON: question as never })) as PasskeyAnswer;
  });

/** Has the visitor answer by a passkey of their account, for an operation that takes it instead of a code. @throws ApiProblem */
export const answerByOwnPasskey = async (): Promise<PasskeyAnswer> =>
  answerByPasskey(await request('POST /api/account/factors/passkeys/ask'));

/**
 * Has the visitor's device make a passkey.
 * @throws ApiProblem PASSKEY_CANCELLED if they did not, or could not; PASSKEY_EXISTS if it has one of the account
 */
export const makePasskey = (wish: PasskeyWish): Promise<MadePasskey> =>
  orCancelled(async () => {
    const { startRegistration } = await library();
    return (await startRegistration({ optionsJSON: wish as never })) as MadePasskey;
  });

async function orCancelled<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw new ApiProblem({ status: 403, code: isKnown ? 'PASSKEY_EXISTS' : 'PASSKEY_CANCELLED' });
  }
}
