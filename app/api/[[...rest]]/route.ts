import { problem } from '@/lib/http/problem';

/** No such interface: answered as every refusal is, not with a page. */
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
