import { z } from 'zod';
import { askProvider } from './ask-provider';
import { OpenIdError } from './types';

const address = z.string().max(2_000);
const metadata = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).max(50).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** What a server says about itself. */
export type Metadata = z.output<typeof metadata>;

/**
 * Reads what a server says about itself (OpenID Connect Discovery 1.0). It must call itself by the very issuer it was
 * asked under, and its addresses must be https; those of an issuer on this machine may be there, too.
 * @throws OpenIdError
 */
export async function discover(issuer: string): Promise<Metadata> {
  const { status, body } = await askProvider(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const read = metadata.safeParse(body);
  if (status !== 200 || !read.success)
    throw new OpenIdError('failed', `no description of itself, status ${status}`);
  if (read.data.issuer !== issuer)
    throw new OpenIdError('failed', `calls itself ${read.data.issuer.slice(0, 200)}, not ${issuer}`);
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = read.data;
  for (const each of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint])
    if (each !== undefined && !isSafe(each, issuer))
      throw new OpenIdError('failed', `names the address ${each.slice(0, 200)}`);
  return read.data;
}

/** Plain http was allowed for the issuer only where it is on this machine; then it stays there. */
function isSafe(endpoint: string, issuer: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, origin, username } = new URL(endpoint);
  if (username !== '') return false;
  return protocol === 'https:' || origin === new URL(issuer).origin;
}
