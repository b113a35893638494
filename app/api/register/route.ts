import { answerRegister } from '@/lib/access/answer-register';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

export const POST = route((request) => answerRegister(request, requestAddress(request.headers)));

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
