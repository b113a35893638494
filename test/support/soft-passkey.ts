import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeyAnswer, PasskeyWish } from '@/lib/contract/shapes/passkey';

const ES256 = -7;
/** User present and verified; the second one with the key attached. */
const VERIFIED = 0b0000_0101;
const WITH_KEY = 0b0100_0101;

/** Values that differ from those of a good authenticator. */
type Faults = { origin?: string; rpId?: string; flags?: number; counter?: number; userHandle?: string };

type Asked = { challenge: string };

/** The statement of the authenticator's maker. */
type Statement = { fmt: string; attStmt: Map<string, unknown> };
type Vouched = { clientDataHash: Buffer; rpIdHash: Buffer; id: Buffer; point: Buffer };
const NO_STATEMENT: Statement = { fmt: 'none', attStmt: new Map() };

/** For tests: makes an authenticator in software (WebAuthn Level 3). Its counter stays 0 unless a fault says otherwise. */
export function softPasskey({ origin, rpId }: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let handle: string | undefined;
  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const authData = (flags: number, counter: number, name = rpId, key = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(name).digest(), head, key]);
  };
  const named = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  };

  return {
    id: named.id,
    /** Makes the passkey. @param vouch makes the maker's statement; left out: none */
    make(
      { challenge, user }: Pick<PasskeyWish, 'challenge'> & { user?: { id: string } },
      faults: Faults = {},
      vouch: (made: Vouched) => Statement = () => NO_STATEMENT,
    ): MadePasskey {
      if (user) handle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, ES256],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]) as never,
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attached = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(key)]);
      const data = authData(faults.flags ?? WITH_KEY, faults.counter ?? 0, faults.rpId, attached);
      const clientDataJSON = clientData('webauthn.create', challenge, faults.origin);
      const statement = vouch({
        clientDataHash: createHash('sha256').update(clientDataJSON).digest(),
        rpIdHash: data.subarray(0, 32),
        id,
        point: Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
      });
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', statement.fmt],
          ['attStmt', statement.attStmt],
          ['authData', new Uint8Array(data)],
        ]) as never,
      );
      return {
        ...named,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Answers a challenge. */
    answer({ challenge }: Asked, faults: Faults = {}): PasskeyAnswer {
      const client = clientData('webauthn.get', challenge, faults.origin);
      const data = authData(faults.flags ?? VERIFIED, faults.counter ?? 0, faults.rpId);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: faults.userHandle ?? handle,
        },
      };
    },
  };
}
