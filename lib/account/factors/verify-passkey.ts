import 'server-only';
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { env } from '@/lib/env';

/** Ed25519, ES256, RS256: what authenticators make. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** Returns the name under which authenticators keep the shop's passkeys: the host of its public address. */
export const relyingParty = (): string => new URL(env().publicUrl).hostname;

type PublicKey = { credentialId: string; publicKey: Uint8Array<ArrayBuffer> };

/** They take a quarter of a second to load. A shop whose people have no passkeys never loads them. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const expected = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: env().publicUrl,
  expectedRPID: relyingParty(),
  requireUserVerification: true,
});

/**
 * Checks a passkey that a browser has made (WebAuthn Level 3, §7.1): challenge, origin, our name, and that the
 * authenticator has checked who its user is. Asks nothing about its maker.
 * @returns the part of it that is kept; null if anything about it is wrong
 */
export async function verifyMadePasskey(
  passkey: MadePasskey,
  challenge: string,
): Promise<(PublicKey & { counter: number }) | null> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  try {
    const made = decodeAttestationObject(isoBase64URL.toBuffer(passkey.response.attestationObject));
    if (namesCertificates(made)) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected(challenge),
      response: { ...passkey, response: { ...passkey.response, transports: [] }, clientExtensionResults: {} },
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    const credential = registrationInfo?.credential;
    if (credential?.id !== passkey.id) return null;
    return { credentialId: credential.id, publicKey: credential.publicKey, counter: credential.counter };
  } catch {
    // The library throws for everything that is wrong with bytes that a stranger made up.
    return null;
  }
}

/** The library would look up the certificates of a maker wherever they say, so a stranger would choose whom we ask. */
function namesCertificates(made: AttestationObject): boolean {
  const format = made.get('fmt');
  return format !== 'none' && (format !== 'packed' || made.get('attStmt').get('x5c') !== undefined);
}

/**
 * Checks a passkey's answer to a challenge (WebAuthn Level 3, §7.2). The caller checks that its counter has not gone back
 * and that the challenge was not answered before.
 * @returns its counter; null if anything about the answer is wrong
 */
export async function verifyAnswer(
  answer: PasskeyAnswer,
  challenge: string,
  { credentialId, publicKey }: PublicKey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected(challenge),
      response: { ...answer, clientExtensionResults: {} },
      credential: { id: credentialId, publicKey, counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // As above.
    return null;
  }
}
