import * as contract from '@/lib/contract/operations';
import { listOrders } from '@/lib/order/records/list-orders';
import { serve } from '../serve';

export const servedOrders = serve(contract.listOrders, ({ user, query }) => listOrders(user.userId, query));
