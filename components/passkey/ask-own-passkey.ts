import { request } from '@/components/api/request';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { answerByPasskey } from './browser-passkey';

/** Asks for a passkey of the visitor's own account. @throws ApiProblem */
export const askOwnPasskey = async (): Promise<PasskeyAnswer> =>
  answerByPasskey(await request('POST /api/account/factors/passkeys/ask'));
