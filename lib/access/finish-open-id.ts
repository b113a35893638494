import 'server-only';
import { log } from '@/lib/http/log';
import type { OpenIdProvider } from '@/lib/open-id/create-provider';
import { type Identity, OpenIdError } from '@/lib/open-id/types';
import { isSameText } from '@/lib/purpose-keys';
import { keys } from '@/lib/redis/keys';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import { openIdReturn } from './begin-open-id';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { bindingOf, FLOW_LIFETIME_MS, type OpenIdFlow } from './open-id-flow';

const MAX_CODE_LENGTH = 4_096;

/** What the browser brings from the other server. */
export type OpenIdAnswer = {
  state: string | null;
  code: string | null;
  error: string | null;
  iss: string | null;
};

export type FinishOpenIdResult =
  | { status: 'proved'; identity: Identity }
  /** The sign-in was not begun in this browser, took too long, or was finished before. */
  | { status: 'over' }
  /** The person said no there. */
  | { status: 'cancelled' }
  /** The server can't be reached, or can't answer now. */
  | { status: 'away' }
  /** The answer doesn't hold, or comes from another server. */
  | { status: 'failed' }
  /** Too many answers from this address didn't hold. */
  | { status: 'limited'; waitMs: number };

/**
 * Learns from the other server who has signed in there. An answer counts once, and only in the browser in which the
 * sign-in began.
 * @throws connection errors of the limits
 */
export async function finishOpenId(
  provider: OpenIdProvider,
  flow: OpenIdFlow | null,
  answer: OpenIdAnswer,
  caller: Caller,
): Promise<FinishOpenIdResult> {
  const { settings } = provider;
  if (!flow || flow.issuer !== settings.issuer) return { status: 'over' };
  const { state, ...binding } = bindingOf(flow);
  if (answer.state === null || !isSameText(answer.state, state)) return { status: 'over' };
  const claimed = await claimRequest('open-id', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const result = await unlessThrown(
    claimed.claim,
    take(provider, flow, answer, { state, ...binding }).catch((error: unknown) => {
      if (!(error instanceof OpenIdError)) throw error;
      log.warn(
        { trouble: error.trouble, reason: error.message },
        'a sign-in by OpenID Connect came to nothing',
      );
      return { status: error.trouble } as const;
    }),
  );
  // Only answers that don't hold cost their sender something.
  if (result.status !== 'failed') await settleTry(claimed.claim, 'void');
  else noteRefusal(caller);
  return result;
}

async function take(
  provider: OpenIdProvider,
  flow: OpenIdFlow,
  { code, error, iss }: OpenIdAnswer,
  binding: Parameters<OpenIdProvider['finish']>[1],
): Promise<FinishOpenIdResult> {
  if (!(await provider.isFrom(iss))) throw new OpenIdError('failed', 'the answer comes from another server');
  if (error === 'access_denied') return { status: 'cancelled' };
  if (error === 'server_error' || error === 'temporarily_unavailable') return { status: 'away' };
  if (error !== null || code === null || code === '' || code.length > MAX_CODE_LENGTH)
    throw new OpenIdError('failed', `the answer has no code: ${error?.slice(0, 50) ?? ''}`);
  if (!(await isFirst(flow))) return { status: 'over' };
  return { status: 'proved', identity: await provider.finish(code, binding, openIdReturn()) };
}

/** A sign-in is finished once, whatever code is brought the second time: of two at once one goes on. */
async function isFirst({ id }: OpenIdFlow): Promise<boolean> {
  const counter = {
    key: keys.tries('open-id', 'flow', hashSubject(id)),
    kind: 'ahead' as const,
    free: 1,
    baseMs: FLOW_LIFETIME_MS,
    maxMs: FLOW_LIFETIME_MS,
    keepMs: FLOW_LIFETIME_MS,
  };
  return (await claimTry([counter])).status === 'go';
}

const noteRefusal = ({ address }: Caller): void =>
  noteEvent({
    action: 'identity.refuse',
    actor: { userId: 'system', role: 'system' },
    subject: { kind: 'account', id: 'unknown' },
    facts: { address: address ?? '' },
  });
