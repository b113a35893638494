import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readOwnLevel } from '@/lib/points/read-own-level';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readOwnLevel, ({ user }) => readOwnLevel(user.userId)),
);
