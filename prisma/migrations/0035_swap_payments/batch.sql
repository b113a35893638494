-- Copies the next 5,000 payments and the next 5,000 changes of orders; see migration 0034. What is there has been written
-- by the triggers, later than the row that is read here.
WITH done AS (
  SELECT * FROM copied_by_gene FOR UPDATE
), payment AS MATERIALIZED (
  SELECT p.* FROM payments p WHERE p.id > (SELECT payment_id FROM done) ORDER BY p.id LIMIT 5000
), event AS MATERIALIZED (
  SELECT e.* FROM order_events e WHERE e.id > (SELECT event_id FROM done) ORDER BY e.id LIMIT 5000
), paid AS (
  INSERT INTO payments_by_gene SELECT * FROM payment ON CONFLICT DO NOTHING
), told AS (
  INSERT INTO order_events_by_gene SELECT * FROM event ON CONFLICT DO NOTHING
), noted AS (
  UPDATE copied_by_gene SET payment_id = coalesce((SELECT max(id) FROM payment), payment_id),
                            event_id = coalesce((SELECT max(id) FROM event), event_id)
)
SELECT NOT EXISTS (SELECT FROM payment) AND NOT EXISTS (SELECT FROM event) AS is_done;
