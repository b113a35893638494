import { answerRegister } from '@/lib/access/answer-register';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.register, (request) => answerRegister(request, requestAddress(request.headers))),
);
