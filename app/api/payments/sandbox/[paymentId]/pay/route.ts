import { otherMethods } from '@/lib/http/other-methods';
import { answerFinish } from '../answer-finish';

export const POST = answerFinish('pay');

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
