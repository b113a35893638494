import { problem } from '@/lib/http/problem';

/** Answers an unknown endpoint like every other refusal, with a problem document instead of a page. */
const notFound = () => problem('NOT_FOUND');

export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
