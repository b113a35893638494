import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readPoints } from '@/lib/points/read-points';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readPoints, ({ user, query }) => readPoints(user.userId, query)),
);
