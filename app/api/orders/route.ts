import { routes } from '@/lib/api/routes';
import { servedOrders } from '@/lib/api/visit/list-orders';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(servedOrders);
