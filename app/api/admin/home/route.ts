import { readHome } from '@/lib/admin/home/read-home';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readHome, ({ user, query }) => readHome(user, query.from)),
);
