import { COUNTRIES, rulesOf } from '@/lib/address/rules-of';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readAddressForm, async ({ query: { country }, refuse }) => {
    const parts = rulesOf(country);
    if (!parts) return refuse('VALIDATION', { detail: 'country: is not a country' });
    return { country, countries: [...COUNTRIES], parts };
  }),
);
