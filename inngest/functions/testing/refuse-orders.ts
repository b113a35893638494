import { db } from '@/lib/db/client';

/** For tests: lets every statement fail that writes an order of this sale to be paid, in this file's own database. */
export async function refuseOrders(saleId: string): Promise<void> {
  await db().$executeRawUnsafe(`
    CREATE FUNCTION refuse_sale() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.sale_id = '${saleId}' AND NEW.status = 'pending_payment' THEN RAISE EXCEPTION 'broken disk'; END IF;
      RETURN NEW;
    END $$`);
  await db().$executeRaw`
    CREATE TRIGGER refuse_sale BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse_sale()`;
}
