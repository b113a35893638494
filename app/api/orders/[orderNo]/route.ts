import { routes } from '@/lib/api/routes';
import { servedOrder } from '@/lib/api/visit/read-order';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(servedOrder);
