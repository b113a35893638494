import 'server-only';
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { env } from '@/lib/env';

/** Ed25519, ES256, RS256: what authenticators make. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** The name under which authenticators keep the shop's passkeys: the host of its public address. */
export const relyingParty = (): string => new URL(env().publicUrl).hostname;

type NewKey = { credentialId: string; publicKey: Uint8Array<ArrayBuffer>; counter: number };
type KnownKey = { credentialId: string; publicKey: Uint8Array<ArrayBuffer> };

/** It takes a quarter of a second to load: a shop whose people have no passkeys never does. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/**
 * Checks a passkey that a browser has made (WebAuthn Level 3, §7.1): the challenge, our origin and name, and that the
 * authenticator has checked who its user is. Asks nothing of its maker.
 * @returns what is kept of it; null if it is wrong, whatever about it
 */
export async function verifyMadePasskey(passkey: MadePasskey, challenge: string): Promise<NewKey | null> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  try {
    const made = decodeAttestationObject(isoBase64URL.toBuffer(passkey.response.attestationObject));
    if (namesCertificates(made)) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...passkey, response: { ...passkey.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: env().publicUrl,
      expectedRPID: relyingParty(),
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    const credential = registrationInfo?.credential;
    if (credential?.id !== passkey.id) return null;
    return { credentialId: credential.id, publicKey: credential.publicKey, counter: credential.counter };
  } catch {
    // The library throws for whatever is wrong with bytes that a stranger made up.
    return null;
  }
}

/** We ask for no word of the maker. One with certificates would have us read, and look up, whatever they name. */
function namesCertificates(made: AttestationObject): boolean {
  const format = made.get('fmt');
  return format !== 'none' && (format !== 'packed' || made.get('attStmt').get('x5c') !== undefined);
}

/**
 * Checks what a passkey answers to a challenge (WebAuthn Level 3, §7.2), all but whether its counter has gone back and whether
 * the challenge was answered before: whoever writes the answer down sees to these.
 * @returns its counter; null if the answer is wrong, whatever about it
 */
export async function verifyAnswer(
  answer: PasskeyAnswer,
  challenge: string,
  { credentialId, publicKey }: KnownKey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: env().publicUrl,
      expectedRPID: relyingParty(),
      credential: { id: credentialId, publicKey, counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // As above.
    return null;
  }
}
