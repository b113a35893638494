import { COUNTRIES, rulesOf } from '@/lib/address/rules-of';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readAddressForm, async ({ query: { country } }) => {
    const parts = rulesOf(country);
    if (!parts) return fieldsProblem([{ path: 'country', message: 'is not a country' }]);
    return { country, countries: [...COUNTRIES], parts };
  }),
);
