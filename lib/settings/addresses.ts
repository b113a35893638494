import { z } from 'zod';
import { origin, url } from './kinds';
import { SHOP, tell } from './tell';

/** The names of the shop, and what stands in front of it. */
export const addressSettings = {
  /**
   * Normalised once, so that no caller has to check again whether it is https; removes what follows the host, because
   * it is not ours.
   */
  NEXTAUTH_URL: tell(
    url('http:', 'https:')
      .transform((value) => new URL(value).origin)
      .default('http://localhost:3000'),
    {
      says: 'The address shoppers see. Cookies are `__Host-` ones where it is https.',
      usedBy: ['start', ...SHOP],
      example: 'https://shop.example.com',
    },
  ),
  PURCHASE_ORIGIN: tell(origin.optional(), {
    says: '[Another name](../deploy/EDGE.md) of the shop, to which pages send purchases without cookies. The same for all web processes.',
    usedBy: ['web'],
    example: 'https://buy.example.com',
    unset: "the page's own",
  }),
  ASSET_ORIGIN: tell(origin.optional(), {
    says: 'Another name, from which pages load scripts and styles. The same for all web processes.',
    usedBy: ['web'],
    example: 'https://static.example.com',
    unset: "the page's own",
  }),
  CDN_VENDOR: tell(z.enum(['cloudflare', 'fastly'], 'must be cloudflare or fastly').optional(), {
    says: '[The CDN](../deploy/EDGE.md) in front of the shop: `cloudflare` or `fastly`. It gets tags with what it may keep, and is told which of them changed.',
    usedBy: SHOP,
    example: 'fastly',
    unset: 'none',
  }),
  CDN_ZONE: tell(
    z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/, 'must be letters and digits')
      .optional(),
    { says: "Cloudflare's zone, or Fastly's service. Set with `CDN_VENDOR`.", usedBy: SHOP, unset: 'none' },
  ),
  CDN_API_TOKEN: tell(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 characters without spaces')
      .optional(),
    {
      says: 'May purge there, and need not be allowed anything else. Set with `CDN_VENDOR`.',
      usedBy: SHOP,
      unset: 'none',
    },
  ),
  CDN_API_URL: tell(url('http:', 'https:').optional(), {
    says: "Where the vendor's interface is.",
    usedBy: SHOP,
    unset: 'its public address',
  }),
  CDN_PURGE_URL: tell(url('http:', 'https:').optional(), {
    says: 'For any other CDN: gets a POST `{paths}` that names the changed pages.',
    usedBy: SHOP,
    unset: 'none',
  }),
};
